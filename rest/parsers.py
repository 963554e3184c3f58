"""JSON that is safe to pass on: no endless nesting, no text or number that a database cannot hold."""

from collections.abc import Iterator
from math import isfinite
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

DEEPEST = 20
LARGEST = 2**63 - 1


class SafeJSONParser(JSONParser):
    """JSON is UTF-8, whatever charset a request claims: Python knows some that unpack, evaluate or fail."""

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> Any:
        context = {**(parser_context or {}), "encoding": "utf-8"}
        try:
            content = super().parse(stream, media_type, context)
        except RecursionError:
            raise ParseError(f"The body is nested more than {DEEPEST} deep.") from None
        for complaint in _complaints(content):
            raise ParseError(complaint)
        return content


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
