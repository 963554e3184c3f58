"""Text functions that all games share, for widths, lists, plurals, and explanations of invalid options and moves."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args
from unicodedata import category, east_asian_width

import msgspec

from games.engine.records import Record

TAKES_NO_COLUMN = {"Mn", "Me", "Cf"}
MATCH_HAS_ENDED = "The match has ended."
"""The text that is shown for a match that the players ended early."""


def width(text: str) -> int:
    """Return how many terminal columns the text takes up."""
    return len(text) if text.isascii() else sum(columns(character) for character in text)


def columns(character: str) -> int:
    if category(character) in TAKES_NO_COLUMN:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


@lru_cache(maxsize=512)
def fit(text: str, room: int) -> str:
    """Pad or cut the text to exactly this many columns. A period marks a cut."""
    kept, end = text, ""
    while width(kept + end) > room:
        kept, end = kept[:-1], "."
    return kept + end + " " * (room - width(kept + end))


def cut(text: str, room: int) -> str:
    """Cut the text to at most this many columns."""
    return fit(text, room).rstrip()


def listing(items: Sequence[str], word: str = "and") -> str:
    """Join names, as in "Ann, Ben and Cleo"."""
    return f" {word} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def counted(number: int, thing: str) -> str:
    """Format a number with its noun, as in "1 card" or "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


LONGEST_QUOTED = 40
Schemas = dict[str, dict[str, Any]]


def meanings(about: str, by_value: dict[str, str]) -> msgspec.Meta:
    """Explains an option and its values in the API, on web pages and on the command line."""
    return msgspec.Meta(description=about, extra_json_schema={"meanings": by_value})


def schemas(options: type[Record]) -> Schemas:
    """Return the JSON schema of each option's values, by name."""
    described: Schemas = msgspec.json.schema(options)["$defs"][options.__name__]["properties"]
    return described


def allowed(schema: dict[str, Any], *, explained: bool = True) -> str:
    """Describe the values of an option, as in "classic or modern" or "1 to 8"."""
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
    """Explain what is wrong with the first invalid option."""
    if not isinstance(raw, Mapping):
        return "Options must be an object that maps names to values."
    name = next(name for name in raw if not is_readable(options, {name: raw[name]}))
    if name not in schemas(options):
        return f"{title} has no option '{name[:LONGEST_QUOTED]}'."
    return f"'{str(raw[name])[:LONGEST_QUOTED]}' isn't a valid value for the option '{name}'."


def move_complaint(title: str, moves: Any, raw: Any) -> str:
    """Explain why JSON cannot be read as a move."""
    if not isinstance(raw, Mapping):
        return "A move must be text or an object."
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(moves) or (moves,)}
    kind = kinds.get(str(raw.get("move")))
    if kind is None:
        return f"{title} has no move '{str(raw['move'])[:LONGEST_QUOTED]}'." if "move" in raw else missing("move")
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name, field in fields.items():
        if name not in raw and field.required:
            return missing(name)
        if name in raw and not is_readable(field.type, raw[name]):
            return f"'{str(raw[name])[:LONGEST_QUOTED]}' isn't a valid value for the field '{name}'."
    unknown = next(name for name in raw if name not in {*fields, "move"})
    return f"The move '{raw['move']}' has no field '{unknown[:LONGEST_QUOTED]}'."


def missing(field: str) -> str:
    return f"The field '{field}' is missing."


def is_readable(kind: Any, raw: Any) -> bool:
    try:
        msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return False
    return True


def summary(title: str, options: type[Record]) -> str:
    described = [f"{name} ({allowed(schema, explained=False)})" for name, schema in schemas(options).items()]
    return f"{title} has these options: {', '.join(described)}." if described else f"{title} has no options."
