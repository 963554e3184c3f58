"""Lists of matches, new ones, and one match as the caller may see it."""

from hashlib import sha256
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import caller, user_in
from accounts.models import User
from core.api import PublicView, answer, read, read_query
from core.openapi import answered
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from core.refusals import Invalid
from games.api import bodies, shapes
from games.api.examples import NEW_MATCHES, SHOWN, SUMMARY
from games.engine.errors import UnknownGame
from games.selectors import access, lists, presenters
from games.selectors.loading import LoadedMatch
from games.services import lobby, visits


class NewMatchThrottle(WriteThrottle):
    scope = "new_match"


class Matches(PublicView):
    pagination_class = CursorPages
    throttle_classes = (UserThrottle, NewMatchThrottle)

    @extend_schema(
        operation_id="matches_list",
        parameters=[bodies.MatchesQuery],
        responses=shapes.MatchSummary(many=True),
        examples=[answered("A match that runs", SUMMARY)],
    )
    def get(self, request: Request) -> Response:
        """Matches in a list: `mine`, `waiting` for me (the longest first), `open` to all, `finished` (mine), `invited`
        to, and the `archive` of finished public ones. Open and archive need no login."""
        listing, user = lists.LISTS[read_query(bodies.MatchesQuery, request)["which"]], caller(request)
        if not (user or listing.is_public):
            raise NotAuthenticated
        pages = CursorPages()
        pages.ordering = listing.ordering
        found = pages.paginate_queryset(listing.rows(user), request, view=self)
        matches = [listing.match_of(row) for row in found]
        return pages.get_paginated_response([presenters.summary(match, match.seats.all(), user) for match in matches])

    @extend_schema(request=bodies.NewMatch, responses={201: shapes.MatchShape}, examples=NEW_MATCHES)
    def post(self, request: Request) -> HttpResponse:
        """Creates a match and sits you down in it. It starts when it is full, or when you say so."""
        wanted, user = read(bodies.NewMatch, request), user_in(request)
        plan = lobby.Plan(
            game=wanted["game"],
            seat_count=wanted["seats"],
            pace=wanted["pace"],
            options=wanted["options"],
            title=wanted["title"],
            is_private=wanted["private"],
        )
        try:
            table = lobby.create(user, plan, salt=wanted.get("salt"))
        except UnknownGame as error:
            raise Invalid(error.code, error.message, error.hint, **error.data) from None
        return answer(shown(table, user), 201)


class OneMatch(PublicView):
    @extend_schema(
        parameters=[OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag you have.")],
        responses={200: shapes.MatchShape, 304: OpenApiResponse(description="You have it already.")},
        examples=[SHOWN],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """The match as you may see it. Its ETag begins with the turn, and can be sent as If-Match with a move."""
        user = caller(request)
        table = access.visible_match(match_id, user)
        visits.note(table, user)
        return tagged(request, table, answer(shown(table, user)))


def shown(table: LoadedMatch, user: User | None) -> dict[str, Any]:
    return presenters.match(table, user, lists.aside(table, user))


def tagged(request: Request, table: LoadedMatch, response: HttpResponse) -> HttpResponse:
    tag = f'"{table.match.turn}-{sha256(response.content).hexdigest()[:20]}"'
    if knows(request, tag):
        response = HttpResponseNotModified()
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response


def knows(request: Request, tag: str) -> bool:
    """Whether the caller has this version already."""
    known = request.headers.get("If-None-Match", "")
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))
