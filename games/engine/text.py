"""Text that games share: names, lists, plurals, and what is wrong with an option."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import category, east_asian_width

import msgspec

from games.engine.records import Record

DRAWN_ON_THE_ONE_BEFORE = {"Mn", "Me", "Cf"}
MATCH_HAS_ENDED = "The match has ended."
"""Where players stopped it before the end that its rules give it."""


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(columns(character) for character in text)


def columns(character: str) -> int:
    if category(character) in DRAWN_ON_THE_ONE_BEFORE:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


@lru_cache(maxsize=512)
def fit(text: str, room: int) -> str:
    """The text in exactly this many columns: padded, or cut with a full stop to show it."""
    kept, end = text, ""
    while width(kept + end) > room:
        kept, end = kept[:-1], "."
    return kept + end + " " * (room - width(kept + end))


def cut(text: str, room: int) -> str:
    """The text in at most this many columns."""
    return fit(text, room).rstrip()


def listing(items: Sequence[str], word: str = "and") -> str:
    """Ann, Ben and Cleo"""
    return f" {word} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def counted(number: int, thing: str) -> str:
    """1 card, 2 cards"""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


LONGEST_QUOTED = 40
Schemas = dict[str, dict[str, Any]]


def meanings(by_value: dict[str, str]) -> msgspec.Meta:
    """Explains an option's values in the API and on the command line."""
    return msgspec.Meta(extra_json_schema={"meanings": by_value})


def schemas(options: type[Record]) -> Schemas:
    """Every option by name, with the JSON schema of its values."""
    described: Schemas = msgspec.json.schema(options)["$defs"][options.__name__]["properties"]
    return described


def allowed(schema: dict[str, Any], *, explained: bool = True) -> str:
    """classic or modern; lot (placed at random) or players (placed by the players); 1 to 8"""
    if "anyOf" in schema:
        return allowed(schema["anyOf"][0], explained=explained)
    if schema.get("type") == "boolean":
        return "true or false"
    if "enum" in schema:
        meanings = schema.get("meanings", {}) if explained else {}
        values = [f"{value} ({meanings[value]})" if value in meanings else str(value) for value in schema["enum"]]
        return listing(values, "or")
    return f"{schema['minimum']} to {schema['maximum']}"


def complaint(title: str, options: type[Record], raw: Any) -> str:
    """What is wrong with invalid options: with the first invalid one, or with all of them."""
    if not isinstance(raw, Mapping):
        return "Options must be an object with a value for each name."
    name = next(name for name in raw if not is_readable(options, {name: raw[name]}))
    if name not in schemas(options):
        return f"{title} has no option '{name[:LONGEST_QUOTED]}'."
    return f"'{str(raw[name])[:LONGEST_QUOTED]}' isn't a valid value for the option '{name}'."


def is_readable(options: type[Record], raw: Mapping[str, Any]) -> bool:
    try:
        msgspec.convert(raw, options)
    except msgspec.ValidationError:
        return False
    return True


def summary(title: str, options: type[Record]) -> str:
    described = [f"{name} ({allowed(schema, explained=False)})" for name, schema in schemas(options).items()]
    return f"{title} has these options: {', '.join(described)}." if described else f"{title} has no options."
