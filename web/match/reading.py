"""Find out who is reading a page of a match, and hide the page from people who aren't allowed to see it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from core.refusals import NotFound
from games.models import Seat
from games.selectors import access, lists
from games.selectors.loading import LoadedMatch
from web.visitors import is_logged_in, player

View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Reader:
    """The reader of a page: a player in the match, another user, or a stranger."""

    loaded: LoadedMatch
    user: User | None
    is_logged_in: bool = False
    """Whether the reader may see what a session for only this match doesn't show: notes, orders and other matches."""

    @property
    def seat(self) -> Seat | None:
        return self.loaded.seat_of(self.user_id)

    @property
    def user_id(self) -> int:
        """The ID of the user, or 0 for a stranger."""
        return self.user.pk if self.user else 0

    @property
    def number(self) -> int | None:
        return self.seat.number if self.seat else None

    @cached_property
    def bouncing(self) -> tuple[User, ...]:
        """The other players whose emails are bouncing. Only players see them."""
        return lists.bouncing(self.loaded, self.user)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.user.time_zone if self.user else "UTC")


def reader_of(request: HttpRequest, match_id: str) -> Reader:
    """Return the reader. Raise NotFound if they aren't allowed to see the match."""
    user = player(request, match_id)
    return reader_for(request, match_id, user)


def reader_for(request: HttpRequest, match_id: str, user: User | None) -> Reader:
    return Reader(access.visible_match(match_id, user), user, is_logged_in(request, user))


def match_page(view: View) -> View:
    """Wrap a page of a match.

    If the page is hidden, it looks like one that doesn't exist, and tells players how to get in.
    """

    @wraps(view)
    def guarded(request: HttpRequest, match_id: str, **of_path: Any) -> HttpResponse:
        try:
            return view(request, match_id, **of_path)
        except NotFound as refused:
            if refused.code != "no_such_match":
                raise
            return no_such_page(request, match_id)

    return guarded


def no_such_page(request: HttpRequest, match_id: str) -> HttpResponse:
    facts = {"match_id": match_id, "plays_by_mail": bool(settings.REPLY_DOMAIN), "server": settings.PUBLIC_URL}
    return render(request, "web/match/not_found.html", facts, status=404)
