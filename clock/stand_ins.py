"""Who plays a seat whose player does not: the engine's harmless moves, at once, until the player is back."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from clock import deadlines
from games.models import Phase, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import record

MOST_MOVES_AT_ONCE = 100
"""In one transaction. Seats of stand-ins are always due, so the sweep goes on where this ended."""


@transaction.atomic
def come_back(match_id: str, user: User) -> LoadedMatch:
    """ "I'm back": the seat is its owner's again, with all its time if it is awaited just now."""
    table, now = access.visible_table(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(table, user)
    access.require_phase(table, Phase.RUNNING)
    seat.visited_at = now
    relieve(table, seat, now)
    table.save_seats()
    return table


def relieve(table: LoadedMatch, seat: Seat, now: datetime) -> None:
    """Somebody plays this seat again; the caller saves it."""
    seat.timeouts, seat.stand_in_since = 0, None
    if seat.awaited_since and not seat.counted_from:
        deadlines.start(table.match, seat, now, anew=True)


def vacate(table: LoadedMatch, seat: Seat, now: datetime) -> None:
    """The player is gone for good; the caller saves the seat. If it is awaited, the clock is to look at it at once."""
    seat.user = None
    if seat.awaited_since:
        deadlines.start(table.match, seat, now, anew=True)


def go_on(table: LoadedMatch, at: datetime, *, watching: Seat | None = None) -> list[record.Entry]:
    """Plays for all stand-ins that are awaited. A match that nobody plays any more ends without a result. What was
    played is the caller's to write down."""
    made: list[record.Entry] = []
    while len(made) < MOST_MOVES_AT_ONCE and (seat := awaited_stand_in(table)):
        if all(other.has_stand_in for other in table.seats):
            record.abandon(table, at)
        else:
            made.append(move_for(table, seat, at, watching=watching))
    return made


def awaited_stand_in(table: LoadedMatch) -> Seat | None:
    if table.match.phase != Phase.RUNNING:
        return None
    return next((seat for seat in table.seats if seat.awaited_since and seat.has_stand_in), None)


def move_for(table: LoadedMatch, seat: Seat, at: datetime, *, watching: Seat | None = None) -> record.Entry:
    """The caller holds the match's lock."""
    move = table.engine.on_timeout(table.state, seat.drawn)
    return record.make_move(table, seat, move, source=record.BY_THE_CLOCK, at=at, watching=watching)
