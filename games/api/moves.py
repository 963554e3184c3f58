"""Endpoints for listing the possible moves and for making one."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import UncheckedToken, bearer_token, user_in
from core import sql
from core.api import DirectView, accepts_json, admit, read_body, read_query, respond, sends_json
from core.json_parser import parsed
from core.metrics import REFUSALS
from core.openapi import refuses
from core.problems import STATUS, problem_of
from core.rate_limits import limit
from core.refusals import Invalid, Refused
from core.shapes import Error
from games import shapes
from games.api import bodies, examples
from games.models import Source
from games.selectors import access, presenters
from games.services import visits
from games.services.moves import Actor, MoveResult, RawMove, refuse_unreadable, submit_move
from games.services.preview import preview_move

KEY = re.compile(r"[\x21-\x7e]{1,80}")
MATCH_TAG = re.compile(r'(?:W/)?"?([0-9]{1,10})(?:-[0-9a-f]+)?"?', re.ASCII)
HEADERS = [
    OpenApiParameter(
        "Idempotency-Key",
        str,
        OpenApiParameter.HEADER,
        description="A repeated request with the same key gets the first response again.",
    ),
    OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The match's ETag, instead of `turn`."),
]


class Choices(APIView):
    @extend_schema(responses=shapes.Choices, examples=[examples.CHOICES])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the moves you can make now.

        Each move is ready to send. The list is empty when it is not your turn.
        """
        user = user_in(request)
        loaded = access.visible_match(match_id, user)
        visits.record(loaded, user)
        return respond(presenters.choices(loaded, access.own_seat(loaded, user)))


class Moves(DirectView):
    def direct(self, request: HttpRequest) -> Callable[..., HttpResponse] | None:
        usual = usual_move(request)
        return partial(make_move, usual) if usual else None

    @extend_schema(
        request=bodies.NewMove,
        parameters=[bodies.MovesQuery, *HEADERS],
        responses=shapes.MoveAccepted | shapes.MovePreview,
        examples=examples.MOVES,
    )
    @refuses(403, 409, 422)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Make a move.

        With `dry_run=1`, nothing is played, and the response shows what would happen, without revealing anything hidden
        from you.
        """
        user, key = user_in(request), idempotency_key(request)
        dry_run = bool(request.query_params) and read_query(bodies.MovesQuery, request)["dry_run"]
        try:
            move, turn = read_move(request)
        except (ParseError, ValidationError, Refused) as error:
            if key is None or dry_run:
                raise
            return move_response(unreadable(request, match_id, error, key))
        if dry_run:
            limit("dry_run", user.pk)  # Each dry run plays the move many times.
            return move_response(preview_move(match_id=match_id, user=user, move=move, turn=turn))
        return move_response(
            submit_move(match_id=match_id, actor=Actor(Source.API, user), move=move, turn=turn, key=key)
        )


@dataclass(frozen=True)
class UsualMove:
    token: str
    move: str
    turn: int
    key: str | None


def usual_move(request: HttpRequest) -> UsualMove | None:
    """Return the move in a valid request that sends only a move in notation and its turn, as nearly all requests do."""
    token, meta = bearer_token(request), request.META
    is_plain = accepts_json(request) and sends_json(request) and not meta.get("QUERY_STRING")
    if request.method != "POST" or token is None or not is_plain or "HTTP_IF_MATCH" in meta:
        return None
    try:
        plain = msgspec.convert(parsed(request.body), PlainMove)
        return UsualMove(token, plain.move, plain.turn, idempotency_key(request))
    except (ParseError, Refused, msgspec.ValidationError):
        return None


def make_move(usual: UsualMove, match_id: str) -> HttpResponse:
    """Make a move. If the database accepts several statements at once, the token is checked while the match is
    locked. SQLite would have to lock the whole database for a token that may be invalid."""
    token = UncheckedToken(usual.token, admit)
    try:
        actor = Actor(Source.API, token=token) if sql.reads_together() else Actor(Source.API, token.owner_now())
        return move_response(
            submit_move(match_id=match_id, actor=actor, move=usual.move, turn=usual.turn, key=usual.key)
        )
    finally:
        token.record_use()


def unreadable(request: Request, match_id: str, error: Exception, key: str) -> MoveResult:
    """Store the error for an unreadable request under its key, so that a repeated request gets the same response."""
    problem = problem_of(error)
    if problem is None:
        raise error
    refused = shapes.MoveRefused(
        kind=Invalid.kind, code=problem.code, message=problem.message, hint=problem.hint, data=dict(problem.data)
    )
    sent = b"%b %b" % (request.headers.get("If-Match", "").encode(), request.body)
    actor = Actor(Source.API, user_in(request))
    return refuse_unreadable(match_id=match_id, actor=actor, refused=refused, sent=sent, key=key)


def move_response(result: MoveResult | shapes.MovePreview) -> HttpResponse:
    if not isinstance(result, shapes.MoveRefused):
        return respond(result)
    REFUSALS.labels(result.code).inc()
    error = Error(code=result.code, message=result.message, hint=result.hint, data=result.data)
    return respond(error, STATUS[result.kind])


class PlainMove(msgspec.Struct, forbid_unknown_fields=True):
    """The body of nearly all requests."""

    move: Annotated[str, msgspec.Meta(max_length=bodies.LONGEST_NOTATION)]
    turn: Annotated[int, msgspec.Meta(ge=0, le=bodies.HIGHEST_TURN)]


def read_move(request: Request) -> tuple[RawMove, int]:
    """Read the move, and the turn that it was made for.

    Unusual requests go to the serializer, which can explain what is wrong.
    """
    move: RawMove
    turn: int | None
    try:
        plain = msgspec.convert(request.data, PlainMove)
        move, turn = plain.move, plain.turn
    except msgspec.ValidationError:
        sent = read_body(bodies.NewMove, request)
        move, turn = sent["move"], sent.get("turn")
    if turn is None or "If-Match" in request.headers:
        turn = decided_on(request, turn)
    return move, turn


def idempotency_key(request: HttpRequest | Request) -> str | None:
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Invalid(
            "bad_key",
            "The Idempotency-Key is invalid.",
            "Use 1 to 80 letters, digits or symbols without spaces, such as a random UUID.",
        )
    return key


def decided_on(request: Request, in_body: int | None) -> int:
    """Return the turn that a move was made for, from the body or from If-Match.

    Only the turn in the ETag counts, so that a new message does not make a move stale.
    """
    in_header = if_match(request.headers["If-Match"]) if "If-Match" in request.headers else None
    if in_body is None and in_header is None:
        raise Invalid(
            "turn_missing",
            "The turn is missing.",
            "Send the match's turn with the move, or its ETag as If-Match.",
        )
    if None not in (in_body, in_header) and in_body != in_header:
        raise Invalid("two_turns", "turn and If-Match name different turns.", "Send only one of the two.")
    return in_header if in_body is None else in_body  # type: ignore[return-value]


def if_match(written: str) -> int:
    tag = MATCH_TAG.fullmatch(written.strip())
    if not tag or int(tag[1]) > bodies.HIGHEST_TURN:
        raise Invalid(
            "bad_tag", "If-Match is not a match's ETag.", "Send the ETag from the response to GET on the match."
        )
    return int(tag[1])
