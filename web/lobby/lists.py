"""Lists of matches: the user's own, and those that anyone can join."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from clock import proposals
from games.engine.text import listing
from games.models import Match, Phase, Seat
from games.models.invitation import Answer
from games.selectors import lists, presenters
from games.selectors.loading import LoadedMatch, match_name
from web.visitors import needs_login, visitor

MOST_LISTED = 100


@dataclass(frozen=True)
class Entry:
    """A match in a list, as its reader sees it."""

    match: Match
    seats: Sequence[Seat]
    own: Seat | None
    unread: int = 0
    votes: int = 0

    @property
    def name(self) -> str:
        return match_name(LoadedMatch(self.match, list(self.seats)), self.own)

    @property
    def game(self) -> str:
        return LoadedMatch(self.match, []).engine.title

    @property
    def players(self) -> str:
        return listing([seat.player_name for seat in self.seats])

    @property
    def free(self) -> int:
        """The number of seats that are neither taken nor reserved by an invitation."""
        reserved = [one for one in self.match.invitations.all() if one.answer == Answer.OPEN]
        return self.match.seat_count - len(self.seats) - len(reserved)

    @property
    def arrangement(self) -> str:
        return presenters.arrangement(self.match)

    @property
    def whose_turn(self) -> str:
        return listing([seat.player_name for seat in self.seats if seat.awaited_since])

    @property
    def deadline(self) -> datetime | None:
        """The latest deadline of the players whose turn it is."""
        deadlines = [seat.deadline for seat in self.seats if seat.awaited_since and seat.deadline]
        return max(deadlines, default=None)

    @property
    def asks_to_end(self) -> str:
        """The names of players who want to end the match early.

        It is empty if the reader isn't a player or has already agreed.
        """
        if self.own is None or self.own.wants_to_abandon:
            return ""
        return listing([seat.player_name for seat in self.seats if seat.wants_to_abandon])


@never_cache
@require_safe
@needs_login
def my_matches(request: HttpRequest, user: User) -> HttpResponse:
    seats = list(lists.mine(user).order_by("-id")[:MOST_LISTED])
    entries = list(entries_of(user, seats))
    waiting = [entry for entry in entries if entry.own and entry.own.awaited_since]
    facts = {
        "waiting": sorted(waiting, key=lambda entry: (entry.own.awaited_since, entry.own.pk)),  # type: ignore[union-attr]
        "running": [one for one in entries if one.match.phase == Phase.RUNNING and one not in waiting],
        "gathering": [one for one in entries if one.match.phase == Phase.GATHERING],
        "finished": list(entries_of(user, list(lists.finished(user).order_by("-id")[:20]))),
        "invitations": [
            (one, Entry(one.match, list(one.match.seats.all()), None))
            for one in lists.invited(user).select_related("invited_by").order_by("-id")[:MOST_LISTED]
        ],
        "offers": proposals.seats_offered_to(user)[:MOST_LISTED],
    }
    return render(request, "web/lobby/my_matches.html", facts)


def entries_of(user: User, seats: Sequence[Seat]) -> Iterator[Entry]:
    unread, votes = lists.unread_messages(user), proposals.waiting_for_vote(seats)
    for seat in seats:
        match = seat.match
        everyone = list(match.seats.all())
        own = next(one for one in everyone if one.pk == seat.pk)
        yield Entry(match, everyone, own, unread.get(match.pk, 0), votes[match.pk])


@never_cache
@require_safe
def open_matches(request: HttpRequest) -> HttpResponse:
    user = visitor(request)
    found = lists.open_to_all(user).order_by("-created_at", "id")[:MOST_LISTED]
    entries = [Entry(match, seats, own_seat(seats, user)) for match in found for seats in [list(match.seats.all())]]
    return render(request, "web/lobby/open_matches.html", {"entries": entries})


def own_seat(seats: Sequence[Seat], user: User | None) -> Seat | None:
    return next((seat for seat in seats if user and seat.user_id == user.pk), None)
