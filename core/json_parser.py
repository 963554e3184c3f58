"""JSON that is safe to pass on: no endless nesting, no name twice, no text or number that a database cannot hold."""

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
    """JSON is UTF-8, whatever charset a request claims: Python knows some that unpack, evaluate or fail."""

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            content = json.loads(stream.read().decode(), object_pairs_hook=_each_once, parse_constant=_no_number)
        except RecursionError:
            raise ParseError(f"The body is nested more than {DEEPEST} deep.") from None
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from None
        for complaint in _complaints(content):
            raise ParseError(complaint)
        return content


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values one would count, and whoever looked at the request before us may have read the other."""
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise Invalid("said_twice", f"The body says {twice[:30]!a} twice.", "Send each name once.")
    return content


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _complaints(content: Any) -> Iterator[str]:
    waiting = [(content, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
                yield "Text cannot hold NUL or half of a surrogate pair."
        elif isinstance(value, int | float):
            if not isfinite(value) or abs(value) > LARGEST:
                yield "The body holds a number that is too large."
        elif isinstance(value, dict | list):
            if depth > DEEPEST:
                yield f"The body is nested more than {DEEPEST} deep."
            inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value
            waiting.extend((one, depth + 1) for one in inner)
