"""The endpoint for the event stream of the logged-in user."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import browser_sessions
from accounts.authentication import BearerToken, user_in
from accounts.models import BrowserSession, Token, User
from core.openapi import OtherMedia, refuses, response_example
from stream import shapes
from stream.formats import NDJSON, SSE
from stream.responses import Subscription, events_so_far

YOUR_TURN = {
    "kind": "your_turn",
    "cursor": "41-9f3c06d2",
    "at": "2026-03-02T09:00:00Z",
    "match": "k7m2x9q4a",
    "turn": 12,
    "data": {"deadline": "2026-03-05T09:00:00Z"},
}
AFTER = OpenApiParameter(
    "after",
    str,
    description="The cursor of the last event you have, or 0 for all stored events. By default, you get only new ones.",
)


class Session(BaseAuthentication):
    """Authenticates requests by a browser session for the whole account, so that pages can follow the stream."""

    def authenticate(self, request: Request) -> tuple[User, BrowserSession] | None:
        found = browser_sessions.find(request.COOKIES.get(browser_sessions.WHOLE_ACCOUNT, ""))
        return (found.user, found) if found else None


class SessionInDocs(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = Session
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": browser_sessions.WHOLE_ACCOUNT}


class NdjsonRenderer(JSONRenderer):
    media_type = NDJSON.media_type


class SseRenderer(JSONRenderer):
    media_type = SSE.media_type


class Stream(APIView):
    authentication_classes = (BearerToken, Session)
    renderer_classes = (NdjsonRenderer, SseRenderer, JSONRenderer)

    @extend_schema(
        parameters=[AFTER],
        responses=OtherMedia(shapes.StreamEvent, (NDJSON.media_type, SSE.media_type)),
        examples=[response_example("Your turn", YOUR_TURN)],
    )
    @refuses(410)
    def get(self, request: Request) -> HttpResponse:
        """Follow everything that concerns you.

        The response never ends. It contains one JSON object per line, or server-sent events with
        `Accept: text/event-stream`. If nothing happens for 15 seconds, the server sends an empty line or a comment. If
        the connection is lost, continue with the cursor of the last event, sent as `after` or `Last-Event-ID`. Events
        are kept for 7 days. An older cursor gets a 410 with the current cursor in `data`.
        """
        chosen: Any = request.accepted_renderer
        form = SSE if chosen.media_type == SSE.media_type else NDJSON
        credential: Any = request.auth
        kind = Token if isinstance(credential, Token) else BrowserSession
        after = request.headers.get("Last-Event-ID") or request.query_params.get("after")
        return events_so_far(Subscription(user_in(request).pk, (kind, credential.digest), form), after)

    def handle_exception(self, exc: Exception) -> Response:
        """Return errors as JSON, no matter which format was requested."""
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return super().handle_exception(exc)
