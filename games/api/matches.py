"""Endpoints for listing and creating matches, and for showing a match to a player or a spectator."""

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.authentication import UncheckedToken, bearer_token, caller, user_in
from accounts.models import User
from core.api import DirectView, PublicView, accepts_json, admit, read_body, read_query, respond
from core.openapi import response_example
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from core.refusals import Invalid
from core.shapes import Page
from games import shapes
from games.api import bodies
from games.api.examples import NEW_MATCHES, SHOWN, SUMMARY
from games.engine.errors import UnknownGame
from games.models import Phase, Seat
from games.selectors import lists, presenters
from games.selectors.loading import LoadedMatch
from games.services import lobby, visits


class NewMatchThrottle(WriteThrottle):
    scope = "new_match"


class MatchPages(CursorPages):
    """Reads the seats of all matches on a page together."""

    def __init__(self, listing: lists.Listing) -> None:
        self.listing, self.ordering = listing, listing.ordering

    def fetch(self, rows: Any, ordering: Sequence[str], place: Sequence[str], most: int) -> list[Any]:
        found = super().fetch(rows.prefetch_related(None), ordering, place, most)
        self.read_seats(found)
        return found

    def read_seats(self, rows: Sequence[Any]) -> None:
        self.seats = lists.seats_of_many([self.listing.match_of(row) for row in rows])

    def present(self, row: Any, user: User | None) -> shapes.MatchSummary:
        match = self.listing.match_of(row)
        reserved = self.seats.reserved.get(match.pk, 0)
        return presenters.summary(match, self.seats.taken[match.pk], user, reserved=reserved)


class Matches(DirectView, PublicView):
    pagination_class = CursorPages
    throttle_classes = (UserThrottle, NewMatchThrottle)

    def direct(self, request: HttpRequest) -> Callable[..., HttpResponse] | None:
        token = bearer_token(request)
        is_usual = token and request.method == "GET" and accepts_json(request)
        asked = FIRST_PAGE.fullmatch(request.META.get("QUERY_STRING", "")) if is_usual else None
        if not (token and asked):
            return None
        which, size = asked[1] or "mine", int(asked[2] or MatchPages.page_size)
        return partial(show_first_page, request, UncheckedToken(token, admit), which, size)

    @extend_schema(
        parameters=[bodies.MatchesQuery],
        responses=Page[shapes.MatchSummary],
        examples=[response_example("A running match", SUMMARY)],
    )
    def get(self, request: Request) -> HttpResponse:
        """List matches.

        - `mine`: matches you are playing in.
        - `waiting`: matches in which it is your turn, starting with the one that has waited longest.
        - `open`: matches that anyone can join.
        - `finished`: matches you have played.
        - `invited`: matches you are invited to.
        - `archive`: finished public matches.

        Anyone can list `open` and `archive` without logging in.
        """
        which, user = read_query(bodies.MatchesQuery, request)["which"], caller(request)
        listing = lists.LISTS[which]
        if not (user or listing.is_public):
            raise NotAuthenticated
        pages = MatchPages(listing)
        return respond(pages.page(listing.rows(user), request, partial(pages.present, user=user)))

    @extend_schema(request=bodies.NewMatch, responses={201: shapes.Match}, examples=NEW_MATCHES)
    def post(self, request: Request) -> HttpResponse:
        """Create a match.

        You take the first seat. The match starts when all seats are taken, or when you start it. Record its
        `secret_hash`, then send your salt. A match against bots starts immediately; with `salt_follows`, it waits for
        your salt.
        """
        plan, user = lobby.Plan(**read_body(bodies.NewMatch, request)), user_in(request)
        try:
            loaded = lobby.create(user, plan)
        except UnknownGame as error:
            raise Invalid(error.code, error.message, error.hint, **error.data) from None
        return respond(shown(loaded, user), 201)


FIRST_PAGE = re.compile(
    rf"(?:which=({'|'.join(lists.OWN)}))?(?:(?:^|&)limit=([1-9][0-9]?|1[0-9][0-9]|{MatchPages.max_page_size}))?"
)
"""The usual query strings for the first page of a player's own matches."""


def show_first_page(request: HttpRequest, token: UncheckedToken, which: str, size: int) -> HttpResponse:
    """List a player's own matches, in two round trips."""
    try:
        found, user = lists.first_rows_with_token(which, size + 1, token)
    finally:
        token.record_use()
    pages = MatchPages(lists.LISTS[which])
    pages.read_seats(found[:size])
    return respond(pages.first_page(Seat, found, size, request, partial(pages.present, user=user)))


class OneMatch(DirectView, PublicView):
    def direct(self, request: HttpRequest) -> Callable[..., HttpResponse] | None:
        token = bearer_token(request)
        is_usual = token and request.method == "GET" and accepts_json(request)
        return partial(show, request, UncheckedToken(token, admit)) if is_usual and token else None

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

        The response contains only what you may see. Its ETag begins with the turn. You can send the ETag as If-Match
        with a move.
        """
        user = caller(request)
        loaded, extras = lists.match_with_extras(match_id, user)
        return match_response(request, loaded, user, extras)


MOST_VERSIONS = 256
_versions: OrderedDict[tuple[str, str], Hashable] = OrderedDict()
"""The versions of the matches that players have seen most recently, by match and ETag. Clients often ask whether a
match has changed, and usually it hasn't."""


def show(request: HttpRequest, token: UncheckedToken, match_id: str) -> HttpResponse:
    """Show a match to a player, in one round trip unless it has changed since the player saw it."""
    tag = request.META.get("HTTP_IF_NONE_MATCH", "")
    version = _versions.get((match_id, tag))
    try:
        if version and lists.current_version(match_id, token) == version:
            return tagged(HttpResponseNotModified(), tag)
        found = lists.match_with_token(match_id, token)
    finally:
        token.record_use()
    response = match_response(request, found.loaded, found.user, found.extras)
    if may_remember(found.loaded, found.user):
        _versions[match_id, response.headers["ETag"]] = found.version
        if len(_versions) > MOST_VERSIONS:
            _versions.popitem(last=False)
    return response


def may_remember(loaded: LoadedMatch, user: User) -> bool:
    """Return whether the ETag depends only on the rows that were read, and the user has seen the latest events.

    Before the start, the response also depends on invitations. A user without a seat may be able to see the match only
    because of an invitation.
    """
    seat = loaded.seat_of(user.pk)
    return seat is not None and loaded.match.phase != Phase.GATHERING and not visits.is_new(seat, loaded.match)


def match_response(
    request: HttpRequest | Request, loaded: LoadedMatch, user: User | None, extras: lists.PlayerExtras
) -> HttpResponse:
    visits.record(loaded, user)
    facts = presenters.match_facts(loaded, user, extras)
    tag = f'"{loaded.match.turn}-{sha256(msgspec.json.encode(facts)).hexdigest()[:20]}"'
    if knows(request, tag):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = respond(presenters.completed(facts, loaded, user))
    return tagged(response, tag)


def tagged(response: HttpResponse, tag: str) -> HttpResponse:
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response


def shown(loaded: LoadedMatch, user: User | None) -> shapes.Match:
    return presenters.match(loaded, user, lists.player_extras(loaded, user))


def knows(request: HttpRequest | Request, tag: str) -> bool:
    """Return whether the caller already has this version."""
    known = request.META.get("HTTP_IF_NONE_MATCH", "")
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))
