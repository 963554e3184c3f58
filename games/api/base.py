"""What the handlers of this folder share: who asks, what was sent, how it is answered."""

from typing import Any

import msgspec
from django.http import HttpResponse
from rest_framework.permissions import SAFE_METHODS, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.models import User
from core.throttles import UserThrottle


class PublicEndpoint(APIView):
    """Everybody may read what is not private, also without logging in; games.selectors.access decides what that is."""

    permission_classes = (IsAuthenticatedOrReadOnly,)


class WriteThrottle(UserThrottle):
    """For what is written, not for what is read."""

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or super().allow_request(request, view)


class NewMatchThrottle(WriteThrottle):
    scope = "new_match"


class MessageThrottle(WriteThrottle):
    scope = "message"


class BoardsThrottle(UserThrottle):
    """The whole match is played anew for it."""

    scope = "boards"


class DryRunThrottle(UserThrottle):
    """A dry run plays the move many times over; a move itself is never held up here."""

    scope = "dry_run"

    def allow_request(self, request: Request, view: Any) -> bool:
        return "dry_run" not in request.query_params or super().allow_request(request, view)


def caller(request: Request) -> User | None:
    return request.user if isinstance(request.user, User) else None


def read_query(query: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    parsed = query(data=request.query_params.dict())
    parsed.is_valid(raise_exception=True)
    return dict(parsed.validated_data)


def answer(value: Any, status: int = 200) -> HttpResponse:
    """Our values, games' own records among them, as JSON."""
    return as_sent(msgspec.json.encode(value), status)


def as_sent(body: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
