"""A JSON parser that limits nesting and rejects duplicate names and values that a database cannot store."""

import json
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from core.refusals import Invalid

DEEPEST = 20
LARGEST = 2**63 - 1


class SafeJSONParser(JSONParser):
    """Parses request bodies, always as UTF-8.

    Other encodings that Python supports can decompress data, execute code or crash.
    """

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> Any:
        return parsed(stream.read())


def parsed(body: bytes) -> Any:
    try:
        content = json.loads(body.decode(), object_pairs_hook=_each_once, parse_constant=_no_number)
    except RecursionError:
        raise ParseError(f"The body is nested more than {DEEPEST} levels deep.") from None
    except ValueError as error:
        raise ParseError(f"The body is not valid JSON: {error}.") from None
    for complaint in _complaints(content):
        raise ParseError(complaint)
    return content


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject duplicate names. Otherwise, a proxy could check one value while we use the other."""
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise Invalid("duplicate_name", f"The body contains {twice[:30]!a} twice.", "Send each name once.")
    return content


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not allowed")


def _complaints(content: Any) -> Iterator[str]:
    waiting = [(content, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
                yield "Text can't contain NUL or half of a surrogate pair."
        elif isinstance(value, int | float):
            if not isfinite(value) or abs(value) > LARGEST:
                yield "The body contains a number that is too large."
        elif isinstance(value, dict | list):
            if depth > DEEPEST:
                yield f"The body is nested more than {DEEPEST} levels deep."
            inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            waiting.extend((one, depth + 1) for one in inner)
