"""Endpoints for the history of a match, and for the data needed to check it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import caller, user_in
from core.api import PublicView, json_response, read_query, respond
from core.openapi import refuses
from core.paging import CursorPages
from core.rate_limits import UserThrottle
from core.shapes import Page
from games import shapes
from games.api import bodies, examples
from games.engine import proof
from games.models import Event
from games.selectors import access, history, lists, match_log, presenters, proofs
from games.selectors.loading import LoadedMatch
from games.services import reviews, visits


class BoardsThrottle(UserThrottle):
    """A separate rate limit for boards, because every request replays the whole match."""

    scope = "boards"


@dataclass(frozen=True)
class EventsSince:
    loaded: LoadedMatch
    since: int
    model: ClassVar = Event


class ByNumber(CursorPages):
    ordering = ("number",)

    def fetch(self, rows: EventsSince, ordering: Sequence[str], place: Sequence[str], most: int) -> list[Event]:
        backwards = ordering[0].startswith("-")
        number = int(place[0]) if place else None
        return match_log.events(
            rows.loaded,
            after=rows.since if backwards else max(rows.since, number or 0),
            before=number if backwards else None,
            newest_first=backwards,
            most=most,
        )


class Log(PublicView):
    pagination_class = ByNumber

    @extend_schema(
        parameters=[bodies.LogQuery],
        responses=Page[shapes.LoggedEvent],
        examples=examples.LOG,
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the events of a match in order.

        If an event is hidden from you, you see only its place in the chain.
        """
        since = read_query(bodies.LogQuery, request)["since"]
        user = caller(request)
        loaded = access.visible_match(match_id, user)
        visits.record(loaded, user)
        own = loaded.seat_of(user.pk if user else None)
        return respond(
            ByNumber().page(EventsSince(loaded, since), request, lambda event: presenters.event(event, loaded, own))
        )


class Boards(APIView):
    throttle_classes = (UserThrottle, BoardsThrottle)

    @extend_schema(
        operation_id="matches_boards_list",
        parameters=[bodies.BoardsQuery],
        responses=shapes.Boards,
        examples=[examples.BOARDS],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the boards of past turns.

        Players get each board as they saw it at the start of the turn. Everyone else gets the public boards.
        """
        query, user = read_query(bodies.BoardsQuery, request), user_in(request)
        loaded = access.visible_match(match_id, user)
        own = loaded.seat_of(user.pk)
        return respond(history.boards(loaded, own.number if own else None, query["since"], query["limit"]))


class Receipts(PublicView):
    @extend_schema(responses=shapes.Receipts, examples=[examples.RECEIPTS])
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the receipts of sealed moves.

        You get the receipts of all revealed moves, and of your own pending move.
        """
        user = caller(request)
        loaded = access.visible_match(match_id, user)
        own = loaded.seat_of(user.pk if user else None)
        return respond(presenters.receipts(loaded, lists.pending_move(loaded, own)))


class Review(APIView):
    @extend_schema(responses=shapes.Review, examples=[examples.REVIEW])
    @refuses(403, 409)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Review your decisions in a finished match.

        A search looks for better moves, using only what you could know. The first request starts the search, which
        takes up to a minute. Repeat the request until `state` is `done`.
        """
        review = reviews.review(match_id, user_in(request))
        return respond(presenters.review(review, reviews.decisions_in(review)))


class Proof(PublicView):
    @extend_schema(responses=proof.Proof, examples=[examples.PROOF])
    @refuses(409)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Get the proof of a match that has ended.

        It contains everything you need to replay the match offline and check every card, receipt and hash.
        """
        return json_response(proofs.proof(access.visible_match(match_id, caller(request))))
