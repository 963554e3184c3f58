"""Playing for a player who is away: the engine's harmless moves, at once, until the player is back."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from clock import deadlines
from core.announcements import listens_to
from games.models import Phase, Seat, Source
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import moves
from games.services.announcements import SeatsToMove
from games.services.moves import Actor

MOST_MOVES_AT_ONCE = 100
"""In one transaction. Seats of stand-ins are always due, so the sweep goes on where this ended."""


@transaction.atomic
def come_back(match_id: str, user: User) -> LoadedMatch:
    """ "I'm back": the seat is its player's again, with all its time if it is to move now."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    seat.visited_at = now
    relieve(loaded, seat, now)
    loaded.save_seats()
    return loaded


def relieve(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    """Somebody plays this seat again; the caller saves it."""
    seat.timeouts, seat.stand_in_since = 0, None
    if seat.awaited_since and not seat.counted_from:
        deadlines.start(loaded.match, seat, now, anew=True)


def vacate(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    """The player is gone for good; the caller saves the seat. If it is to move, the clock looks at it at once."""
    seat.user = None
    if seat.awaited_since:
        deadlines.start(loaded.match, seat, now, anew=True)


@listens_to(SeatsToMove)
def play_for_stand_ins(ready: SeatsToMove) -> None:
    play_on(ready.loaded, ready.at, watching=ready.watching)


def play_on(loaded: LoadedMatch, at: datetime, *, watching: Seat | None = None) -> None:
    """Play for all stand-ins that are to move. A match without any player left ends without a result. The caller writes
    what was played."""
    for _ in range(MOST_MOVES_AT_ONCE):
        seat = awaited_stand_in(loaded)
        if seat is None:
            return
        if all(other.has_stand_in for other in loaded.seats):
            moves.abandon(loaded, at)
        else:
            play_for(loaded, seat, Source.STAND_IN, at, watching=watching)


def awaited_stand_in(loaded: LoadedMatch) -> Seat | None:
    if loaded.match.phase != Phase.RUNNING:
        return None
    return next((seat for seat in loaded.seats if seat.awaited_since and seat.has_stand_in), None)


def play_for(loaded: LoadedMatch, seat: Seat, source: Source, at: datetime, *, watching: Seat | None = None) -> None:
    """The caller holds the lock of the match."""
    move = loaded.engine.on_timeout(loaded.state, seat.drawn)
    moves.make_move(loaded, seat, move, Actor(source), at=at, watching=watching)
