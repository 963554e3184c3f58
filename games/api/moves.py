"""What you may do, and doing it."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from games import access, play, preview, showing, visits
from games.api import bodies, examples, shapes
from games.api.base import DryRunThrottle, answer, as_sent, read_query
from games.api.headers import decided_on, idempotency_key
from rest.openapi import refuses
from rest.throttles import UserThrottle
from rest.views import read

HEADERS = [
    OpenApiParameter(
        "Idempotency-Key",
        str,
        OpenApiParameter.HEADER,
        description="The same key again gets the first answer again, byte for byte.",
    ),
    OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The match's ETag, instead of `turn`."),
]
ANSWERS = PolymorphicProxySerializer("PlayedOrPreview", [shapes.Played, shapes.Preview], resource_type_field_name=None)


class Choices(APIView):
    @extend_schema(responses=shapes.ChoicesShape, examples=[examples.CHOICES])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """All that you may do now, ready to send. Empty when nothing is asked of you."""
        user = user_in(request)
        table = access.visible_table(match_id, user)
        visits.note(table, user)
        return answer(showing.choices(table, access.own_seat(table, user)))


class Moves(APIView):
    throttle_classes = (UserThrottle, DryRunThrottle)

    @extend_schema(
        request=bodies.MoveMade,
        parameters=[bodies.MovesQuery, *HEADERS],
        responses=ANSWERS,
        examples=examples.MOVES,
    )
    @refuses(403, 409, 422)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Makes a move, or tells with `dry_run=1` what it would lead to as far as you may know."""
        made, user = read(bodies.MoveMade, request), user_in(request)
        submission = play.Submission(
            move=made["move"], turn=decided_on(request, made.get("turn")), key=idempotency_key(request)
        )
        only_tell = read_query(bodies.MovesQuery, request)["dry_run"]
        told = preview.preview(match_id, user, submission) if only_tell else play.submit(match_id, user, submission)
        return as_sent(told.body, told.status)
