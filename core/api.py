"""Building blocks of endpoints: strict request bodies, and structs as responses."""

from typing import Any

import msgspec
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.views import APIView


class StrictSerializer(serializers.Serializer[Any]):
    # Refuse unknown fields, because a misspelled one would otherwise be ignored silently. This is a comment because the
    # API docs show the docstrings of serializers, even inherited ones.
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            known = [name for name, field in self.fields.items() if not field.read_only]
            if unknown := [str(name) for name in data if name not in known]:
                listed = f"Allowed: {', '.join(known)}." if known else "This request takes no fields."
                message = f"Unknown field. {listed}"
                raise serializers.ValidationError({name: [message] for name in unknown})
        return super().to_internal_value(data)


class NoBody(StrictSerializer):
    """For requests without a body."""


class AnonymousView(APIView):
    """A view that ignores tokens, so that an expired one does no harm."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class PublicView(APIView):
    """A view of public data that anyone can read, even without logging in."""

    permission_classes = (IsAuthenticatedOrReadOnly,)


def read_body(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the validated body. Raises ValidationError with the invalid fields."""
    return validated(serializer, request.data)


def read_query(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    return validated(serializer, request.query_params.dict())


def validated(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    parsed = serializer(data=data)
    parsed.is_valid(raise_exception=True)
    return dict(parsed.validated_data)


def respond(value: Any, status: int = 200) -> HttpResponse:
    """Encode a struct, or anything else that msgspec supports, as JSON."""
    return HttpResponse(msgspec.json.encode(value), status=status, content_type="application/json")


def json_response(body: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
