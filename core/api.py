"""Building blocks for endpoints: strict request bodies, and structs as responses."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.views import APIView

from core.rate_limits import UserThrottle, limit


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
    """The serializer for requests without a body."""


class AnonymousView(APIView):
    """A view that ignores tokens, so that a request with an expired token still works."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class PublicView(APIView):
    """A view of public data, which anyone can read without logging in."""

    permission_classes = (IsAuthenticatedOrReadOnly,)


class DirectView(APIView):
    """A view that handles ordinary requests itself and leaves unusual ones to the REST framework. The framework turns
    errors into responses, as it does for all other views.
    """

    def direct(self, request: HttpRequest) -> Callable[..., HttpResponse] | None:
        """Return the function that handles this request, or None if the request is unusual."""
        raise NotImplementedError

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        handler = self.direct(request)
        if handler is None:
            return super().dispatch(request, *args, **kwargs)
        try:
            response = handler(*args, **kwargs)
            response.headers["Allow"] = self.default_response_headers["Allow"]
        except Exception as error:  # noqa: BLE001 (handle_exception raises unexpected ones again)
            self.request = self.initialize_request(request, *args, **kwargs)
            self.headers = self.default_response_headers
            return self.finalize_response(self.request, self.handle_exception(error), *args, **kwargs)
        return response


def admit(user: Any) -> None:
    """Count a user's request that a DirectView handles."""
    limit(UserThrottle.scope, user.pk)


def accepts_json(request: HttpRequest) -> bool:
    return request.META.get("HTTP_ACCEPT", "*/*") in ("*/*", "application/json")


def sends_json(request: HttpRequest) -> bool:
    return request.META.get("CONTENT_TYPE") == "application/json"


def read_body(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the validated body, or raise ValidationError with the invalid fields."""
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
