"""Endpoints for listing and ending a user's browser sessions."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import browser_sessions, shapes
from accounts.authentication import user_in
from accounts.models import BrowserSession
from core.api import respond
from core.openapi import response_example
from core.paging import CursorPages
from core.shapes import Page

SESSION = {
    "id": "9b1e4f7c2a60",
    "device": "Firefox on Android",
    "match": None,
    "created_at": "2026-03-02T09:00:00Z",
    "last_used_at": "2026-03-04T18:30:00Z",
    "expires_at": "2026-05-01T09:00:00Z",
}


class NewestFirst(CursorPages):
    ordering = ("-created_at", "reference")


def presented(of: BrowserSession) -> shapes.BrowserSession:
    return shapes.BrowserSession(
        id=of.reference,
        device=of.device,
        match=of.match or None,
        created_at=of.created_at,
        last_used_at=of.last_used_at,
        expires_at=of.expires_at,
    )


class Sessions(APIView):
    pagination_class = NewestFirst

    @extend_schema(responses=Page[shapes.BrowserSession], examples=[response_example("A phone", SESSION)])
    def get(self, request: Request) -> HttpResponse:
        """List your browser sessions, newest first."""
        return respond(NewestFirst().page(browser_sessions.of_user(user_in(request)), request, presented))


class OneSession(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, session_id: str) -> Response:
        """Log out a browser."""
        browser_sessions.revoke(user_in(request), session_id)
        return Response(status=204)
