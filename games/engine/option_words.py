"""The options of a game as people and programs are told of them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.engine.records import Record
from games.engine.text import listing

LONGEST_QUOTED = 40
Schemas = dict[str, dict[str, Any]]


def meanings(of: dict[str, str]) -> msgspec.Meta:
    """For values whose names do not say what they are for."""
    return msgspec.Meta(extra_json_schema={"meanings": of})


def schemas(options: type[Record]) -> Schemas:
    """Every option by name, with the JSON schema of its values."""
    described: Schemas = msgspec.json.schema(options)["$defs"][options.__name__]["properties"]
    return described


def allowed(schema: dict[str, Any]) -> str:
    """classic or modern; reviews for one cowboy or seed for two; 1 to 8"""
    if "anyOf" in schema:
        return allowed(schema["anyOf"][0])
    if schema.get("type") == "boolean":
        return "true or false"
    if "enum" in schema:
        told = schema.get("meanings", {})
        return listing(
            [f"{value} for {told[value]}" if value in told else str(value) for value in schema["enum"]], "or"
        )
    return f"{schema['minimum']} to {schema['maximum']}"


def complaint(title: str, options: type[Record], raw: Any) -> str:
    """What is wrong with options that cannot be read: with the first such, or with all of them."""
    if not isinstance(raw, Mapping):
        return "Options have names: they are an object."
    name = next(name for name in raw if not is_readable(options, {name: raw[name]}))
    if name not in schemas(options):
        return f"{title} has no option '{name[:LONGEST_QUOTED]}'."
    return f"'{str(raw[name])[:LONGEST_QUOTED]}' is no value for the option '{name}'."


def is_readable(options: type[Record], raw: Mapping[str, Any]) -> bool:
    try:
        msgspec.convert(raw, options)
    except msgspec.ValidationError:
        return False
    return True


def summary(title: str, options: type[Record]) -> str:
    told = [f"{name} ({allowed(schema)})" for name, schema in schemas(options).items()]
    return f"{title} has the options {', '.join(told)}." if told else f"{title} has no options."
