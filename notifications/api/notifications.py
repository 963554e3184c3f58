"""What a user was told, or was to be told, and why not; and muting one match."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import NoBody, answer, read
from core.openapi import answered, refuses, sent
from core.paging import CursorPages
from games.api import bodies, shapes
from notifications import bounces, unsubscribe
from notifications.models import Delivery, Notification, NotificationKind

OWED = {
    "id": "5d2f6b1c9a03e874",
    "kind": "test_mail",
    "match": None,
    "turn": None,
    "state": "queued",
    "why": "",
    "owed_at": "2026-03-02T09:00:00Z",
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


def presented(notification: Notification) -> dict[str, Any]:
    state = state_of(notification.delivery)
    return {
        "id": notification.public_id,
        "kind": notification.kind,
        "match": notification.match_id,
        "turn": notification.turn,
        "state": state,
        "why": notification.why,
        "owed_at": notification.owed_at,
        "due_at": notification.due_at if state == "queued" else None,
        "sent_at": notification.sent_at,
        "tries": notification.tries,
    }


class NotificationShape(shapes.Shape):
    id = serializers.CharField(help_text="16 hexadecimal digits, drawn at random.")
    kind = serializers.ChoiceField(choices=NotificationKind.choices)
    match = serializers.CharField(allow_null=True)
    turn = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=["queued", "sent", "delivered", "bounced", "suppressed", "failed"])
    why = serializers.CharField(allow_blank=True, help_text="Why it waits, was not sent, or failed.")
    owed_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it is tried next, while it is queued.")
    sent_at = serializers.DateTimeField(allow_null=True)
    tries = serializers.IntegerField()


class LatestFirst(CursorPages):
    ordering = ("-owed_at", "id")


class Notifications(APIView):
    pagination_class = LatestFirst

    @extend_schema(operation_id="me_notifications_list", responses=NotificationShape(many=True))
    def get(self, request: Request) -> Response:
        """Your notifications, the latest first: queued, sent, delivered, bounced, suppressed, or failed, and why."""
        pages = LatestFirst()
        found = pages.paginate_queryset(Notification.objects.filter(user=user_in(request)), request, view=self)
        return pages.get_paginated_response([presented(notification) for notification in found])


class TestMail(APIView):
    @extend_schema(request=NoBody, responses={202: NotificationShape}, examples=[answered("On its way", OWED, 202)])
    def post(self, request: Request) -> HttpResponse:
        """Sends you a test mail, and tries your address again if mail had come back from it."""
        read(NoBody, request)
        return answer(presented(bounces.send_test(user_in(request))), 202)


class Mute(APIView):
    @extend_schema(
        request=bodies.Muted,
        responses=shapes.MuteShape,
        examples=[sent("Silence", {"muted": True}), answered("Silence", {"muted": True})],
    )
    @refuses(403)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Stops or resumes all mail about this match to you."""
        muted = unsubscribe.mute(match_id, user_in(request), muted=read(bodies.Muted, request)["muted"])
        return answer({"muted": muted})
