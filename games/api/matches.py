"""List and create matches, and show a match to one of its players or to a spectator."""

from hashlib import sha256
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.authentication import caller, user_in
from accounts.models import User
from core.api import PublicView, read_body, read_query, respond
from core.openapi import response_example
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from core.refusals import Invalid
from core.shapes import Page
from games import shapes
from games.api import bodies
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
        parameters=[bodies.MatchesQuery],
        responses=Page[shapes.MatchSummary],
        examples=[response_example("A running match", SUMMARY)],
    )
    def get(self, request: Request) -> HttpResponse:
        """List matches.

        `mine`: matches you are playing in. `waiting`: matches where it is your turn, the longest wait first. `open`:
        matches anyone can join. `finished`: matches you have played. `invited`: matches you are invited to. `archive`:
        finished public matches. `open` and `archive` need no login."""
        listing, user = lists.LISTS[read_query(bodies.MatchesQuery, request)["which"]], caller(request)
        if not (user or listing.is_public):
            raise NotAuthenticated
        pages = CursorPages()
        pages.ordering = listing.ordering

        def present(row: Any) -> shapes.MatchSummary:
            match = listing.match_of(row)
            return presenters.summary(match, match.seats.all(), user)

        return respond(pages.page(listing.rows(user), request, present))

    @extend_schema(request=bodies.NewMatch, responses={201: shapes.Match}, examples=NEW_MATCHES)
    def post(self, request: Request) -> HttpResponse:
        """Create a match.

        You take the first seat. The match starts when all seats are taken or when you start it. Record its
        `secret_hash`, then send your salt. A match against bots starts at once; with `salt_follows`, it waits for your
        salt.
        """
        wanted, user = read_body(bodies.NewMatch, request), user_in(request)
        plan = lobby.Plan(
            game=wanted["game"],
            seat_count=wanted["seats"],
            pace=wanted["pace"],
            options=wanted["options"],
            title=wanted["title"],
            is_private=wanted["private"],
            salts=wanted["salts"],
            bots=wanted["bots"],
            level=wanted["level"],
            allows_bots=wanted["bots_allowed"],
            absent=wanted["absent"],
            salt_follows=wanted["salt_follows"],
        )
        try:
            loaded = lobby.create(user, plan)
        except UnknownGame as error:
            raise Invalid(error.code, error.message, error.hint, **error.data) from None
        return respond(shown(loaded, user), 201)


class OneMatch(PublicView):
    @extend_schema(
        parameters=[
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of the version you have."
            )
        ],
        responses={200: shapes.Match, 304: OpenApiResponse(description="The match has not changed.")},
        examples=[SHOWN],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Get a match.

        The response contains only what you are allowed to see. Its ETag begins with the turn; you can send it as
        If-Match with a move."""
        user = caller(request)
        loaded = access.visible_match(match_id, user)
        visits.record(loaded, user)
        return tagged(request, loaded, respond(shown(loaded, user)))


def shown(loaded: LoadedMatch, user: User | None) -> shapes.Match:
    return presenters.match(loaded, user, lists.player_extras(loaded, user))


def tagged(request: Request, loaded: LoadedMatch, response: HttpResponse) -> HttpResponse:
    tag = f'"{loaded.match.turn}-{sha256(response.content).hexdigest()[:20]}"'
    if knows(request, tag):
        response = HttpResponseNotModified()
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response


def knows(request: Request, tag: str) -> bool:
    """Return whether the caller already has this version."""
    known = request.headers.get("If-None-Match", "")
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))
