"""What a player was told, or was to be told, and why not; and silence for one match."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.examples import answered, sent
from core.openapi import refuses
from core.views import read
from games.api import bodies, shapes
from games.api.base import answer
from games.selectors import presenters
from notifications import mailbox, unsubscribe
from notifications.api.paging import LatestFirst
from notifications.models import Notification

OWED = {
    "id": 402663310818,
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


class Notices(APIView):
    pagination_class = LatestFirst

    @extend_schema(operation_id="me_notices_list", responses=shapes.NoticeShape(many=True))
    def get(self, request: Request) -> Response:
        """Your notices, the latest first: queued, sent, delivered, bounced, suppressed, or failed, and why."""
        pages = LatestFirst()
        found = pages.paginate_queryset(Notification.objects.filter(user=user_in(request)), request, view=self)
        return pages.get_paginated_response([presenters.notice(notice) for notice in found])


class TestMail(APIView):
    @extend_schema(
        request=bodies.NoBody, responses={202: shapes.NoticeShape}, examples=[answered("On its way", OWED, 202)]
    )
    def post(self, request: Request) -> HttpResponse:
        """Sends you a test mail, and tries your address again if mail had come back from it."""
        read(bodies.NoBody, request)
        return answer(presenters.notice(mailbox.send_test(user_in(request))), 202)


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
