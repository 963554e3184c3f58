"""What you may do, and doing it."""

from typing import Annotated, Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.metrics import counters
from core.openapi import refuses
from core.problems import problem_of
from core.refusals import Refused
from core.throttles import UserThrottle
from core.views import read
from games.api import bodies, examples, shapes
from games.api.base import DryRunThrottle, answer, as_sent, read_query
from games.api.headers import decided_on, idempotency_key
from games.selectors import access, presenters
from games.services import moves, preview, visits
from games.services.idempotency import Answer

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
        return answer(presenters.choices(table, access.own_seat(table, user)))


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
        key, user = idempotency_key(request), user_in(request)
        only_tell = bool(request.query_params) and read_query(bodies.MovesQuery, request)["dry_run"]
        sent = read_move(request, None if only_tell else key)
        if isinstance(sent, moves.Unreadable):
            told = moves.refuse_unreadable(match_id, user, sent)
        elif only_tell:
            told = preview.preview(match_id, user, sent)
        else:
            told = moves.submit(match_id, user, sent)
        return as_sent(told.body, told.status)


def read_move(request: Request, key: str | None) -> moves.Submission | moves.Unreadable:
    """With a key, what cannot be read is answered like any move: the next request with this key gets the same."""
    sent = b"%b %b" % (request.headers.get("If-Match", "").encode(), request.body if key else b"")
    try:
        made = read_plain(request) or read(bodies.MoveMade, request)
        return moves.Submission(made["move"], decided_on(request, made.get("turn")), key)
    except (ParseError, ValidationError, Refused) as refused:
        problem = problem_of(refused)
        if key is None or problem is None:
            raise
        counters.one_refusal(problem.code)
        return moves.Unreadable(sent, Answer(problem.status, msgspec.json.encode(problem.body)), key)


class PlainMove(msgspec.Struct, forbid_unknown_fields=True):
    """What nearly all requests are."""

    move: Annotated[str, msgspec.Meta(max_length=bodies.LONGEST_NOTATION)]
    turn: Annotated[int, msgspec.Meta(ge=0, le=bodies.HIGHEST_TURN)]


def read_plain(request: Request) -> dict[str, Any] | None:
    """None for whatever the serializer must look at, which knows the words for what is wrong."""
    try:
        return msgspec.structs.asdict(msgspec.convert(request.data, PlainMove))
    except msgspec.ValidationError:
        return None
