"""What every endpoint starts from: safe JSON in, strict fields, plain answers out."""

import json
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import IO, Any

import msgspec
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.views import APIView

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


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know: a misspelt one would otherwise be lost without a word."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            known = [name for name, field in self.fields.items() if not field.read_only]
            if unknown := [str(name) for name in data if name not in known]:
                listed = f"Known fields: {', '.join(known)}." if known else "It takes no fields."
                message = f"Unknown field. {listed}"
                raise serializers.ValidationError({name: [message] for name in unknown})
        return super().to_internal_value(data)


class NoBody(StrictSerializer):
    """A request without a body."""


class MessageSerializer(serializers.Serializer[Any]):
    """An answer that is only a sentence."""

    message = serializers.CharField()


class AnonymousView(APIView):
    """For everybody. Tokens are ignored, so an expired one does no harm."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class PublicView(APIView):
    """Anybody may read what is not private, also without logging in."""

    permission_classes = (IsAuthenticatedOrReadOnly,)


def read(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The body as this serializer understands it, or a refusal that names the fields."""
    return validated(serializer, request.data)


def read_query(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    return validated(serializer, request.query_params.dict())


def validated(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    parsed = serializer(data=data)
    parsed.is_valid(raise_exception=True)
    return dict(parsed.validated_data)


def answer(value: Any, status: int = 200) -> HttpResponse:
    """Our values, records of the games among them, as JSON."""
    return json_response(msgspec.json.encode(value), status)


def json_response(body: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
