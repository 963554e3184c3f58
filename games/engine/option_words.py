"""The options of a game as people and programs are told of them."""

from typing import Any

import msgspec

from games.engine.records import Record
from games.engine.text import listing

Schemas = dict[str, dict[str, Any]]


def schemas(options: type[Record]) -> Schemas:
    """Every option by name, with the JSON schema of its values."""
    described: Schemas = msgspec.json.schema(options)["$defs"][options.__name__]["properties"]
    return described


def allowed(schema: dict[str, Any]) -> str:
    """classic or modern; 1 to 8"""
    if "anyOf" in schema:
        return allowed(schema["anyOf"][0])
    if schema.get("type") == "boolean":
        return "true or false"
    if "enum" in schema:
        return listing([str(value) for value in schema["enum"]], "or")
    return f"{schema['minimum']} to {schema['maximum']}"


def summary(title: str, options: type[Record]) -> str:
    told = [f"{name} ({allowed(schema)})" for name, schema in schemas(options).items()]
    return f"{title} has the options {', '.join(told)}." if told else f"{title} has no options."
