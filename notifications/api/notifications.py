"""Endpoints for a user's notifications, for test emails, and for muting a match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from accounts.models import User
from core.api import NoBody, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.paging import CursorPages
from core.shapes import Page
from games.api import bodies
from notifications import archive, bounces, shapes, unsubscribe
from notifications.models import Delivery, Notification

OWED = {
    "id": "5d2f6b1c9a03e874",
    "kind": "test_mail",
    "match": None,
    "turn": None,
    "state": "queued",
    "why": "",
    "created_at": "2026-03-02T09:00:00Z",
    "due_at": "2026-03-02T09:00:00Z",
    "sent_at": None,
    "tries": 0,
}


STATES: dict[str, str] = {
    Delivery.SENT: "sent",
    Delivery.DELIVERED: "delivered",
    Delivery.BOUNCED: "bounced",
    Delivery.SUPPRESSED: "suppressed",
    Delivery.DEAD: "failed",
}


def state_of(delivery: str) -> str:
    return STATES.get(delivery, "queued")


def presented(of: Notification) -> shapes.Notification:
    state = state_of(of.delivery)
    return shapes.Notification(
        id=of.public_id,
        kind=of.kind,
        match=of.match_id,
        turn=of.turn,
        state=state,
        why=of.why,
        created_at=of.created_at,
        due_at=of.due_at if state == "queued" else None,
        sent_at=of.sent_at,
        tries=of.tries,
    )


@dataclass(frozen=True)
class NotificationsOf:
    user: User
    model: ClassVar = Notification


class LatestFirst(CursorPages):
    ordering = archive.LATEST_FIRST

    def fetch(
        self, rows: NotificationsOf, ordering: Sequence[str], place: Sequence[str], most: int
    ) -> list[Notification]:
        return archive.page_of(rows.user, ordering, place, most)


class Notifications(APIView):
    pagination_class = LatestFirst

    @extend_schema(responses=Page[shapes.Notification], examples=[response_example("Queued", OWED)])
    def get(self, request: Request) -> HttpResponse:
        """List your notifications.

        The newest come first. Each one is queued, sent, delivered, bounced, suppressed or failed, with
        the reason if there is one.
        """
        return respond(LatestFirst().page(NotificationsOf(user_in(request)), request, presented))


class TestMail(APIView):
    @extend_schema(
        request=NoBody, responses={202: shapes.Notification}, examples=[response_example("Queued", OWED, 202)]
    )
    def post(self, request: Request) -> HttpResponse:
        """Send yourself a test email.

        If we stopped mail to your address because it bounced, this resumes it."""
        read_body(NoBody, request)
        return respond(presented(bounces.send_test(user_in(request))), 202)


class Mute(APIView):
    @extend_schema(
        request=bodies.Muted,
        responses=shapes.Mute,
        examples=[request_example("Mute", {"muted": True}), response_example("Muted", {"muted": True})],
    )
    @refuses(403)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Mute or unmute a match.

        You don't get emails about muted matches.
        """
        muted = unsubscribe.mute(match_id, user_in(request), muted=read_body(bodies.Muted, request)["muted"])
        return respond(shapes.Mute(muted=muted))
