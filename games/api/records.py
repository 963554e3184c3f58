"""What happened, and how anyone can check it."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import caller, user_in
from core.api import PublicView, answer, json_response, read_query
from core.openapi import refuses
from core.paging import CursorPages
from core.rate_limits import UserThrottle
from games.api import bodies, examples, shapes
from games.selectors import access, history, lists, presenters, proofs
from games.services import visits


class BoardsThrottle(UserThrottle):
    """The whole match is replayed for it."""

    scope = "boards"


class ByNumber(CursorPages):
    ordering = ("number",)


class Log(PublicView):
    pagination_class = ByNumber

    @extend_schema(
        operation_id="matches_log_list",
        parameters=[bodies.LogQuery],
        responses=shapes.LoggedEvent(many=True),
        examples=examples.LOG,
    )
    def get(self, request: Request, match_id: str) -> Response:
        """All events in order, as you may see them. Hidden ones are there with their place in the chain."""
        since = read_query(bodies.LogQuery, request)["since"]
        user = caller(request)
        table = access.visible_match(match_id, user)
        visits.note(table, user)
        pages, own = ByNumber(), table.seat_of(user.pk if user else None)
        found = pages.paginate_queryset(lists.events(table, since), request, view=self)
        return pages.get_paginated_response([presenters.event(event, table, own) for event in found])


class Boards(APIView):
    throttle_classes = (UserThrottle, BoardsThrottle)

    @extend_schema(
        operation_id="matches_boards_list",
        parameters=[bodies.BoardsQuery],
        responses=shapes.Boards,
        examples=[examples.BOARDS],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """The board as each turn began, as you saw it, or, in a match of others, as everybody did."""
        query, user = read_query(bodies.BoardsQuery, request), user_in(request)
        table = access.visible_match(match_id, user)
        own = table.seat_of(user.pk)
        found, more = history.boards(table, own.number if own else None, query["since"], query["limit"])
        return answer({"boards": found, "more": more})


class Receipts(PublicView):
    @extend_schema(responses=shapes.Receipts, examples=[examples.RECEIPTS])
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """The receipts of all sealed moves that have been revealed, and your own of one that has not."""
        user = caller(request)
        table = access.visible_match(match_id, user)
        own = table.seat_of(user.pk if user else None)
        return answer(presenters.receipts(table, lists.pending_move(table, own)))


class Proof(PublicView):
    @extend_schema(responses=shapes.Proof, examples=[examples.PROOF])
    @refuses(409)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """After the end: all that is needed to replay the match and to check every card, receipt and hash offline."""
        return json_response(proofs.proof(access.visible_match(match_id, caller(request))))
