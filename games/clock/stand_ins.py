"""Who plays a seat whose player does not: the engine's harmless moves, at once, until the player is back."""

from datetime import datetime

from games import record
from games.models import Phase, Seat
from games.table import Table

MOST_MOVES_AT_ONCE = 100
"""In one transaction. Seats of stand-ins are always due, so the sweep goes on where this ended."""


def go_on(table: Table, at: datetime, *, watching: Seat | None = None) -> list[record.Entry]:
    """Plays for all stand-ins that are awaited. A match that nobody plays any more ends without a result."""
    made: list[record.Entry] = []
    while len(made) < MOST_MOVES_AT_ONCE and (seat := awaited_stand_in(table)):
        if all(other.has_stand_in for other in table.seats):
            record.abandon(table, at)
        else:
            made.append(move_for(table, seat, at, watching=watching))
    return made


def awaited_stand_in(table: Table) -> Seat | None:
    if table.match.phase != Phase.RUNNING:
        return None
    return next((seat for seat in table.seats if seat.awaited_since and seat.has_stand_in), None)


def move_for(table: Table, seat: Seat, at: datetime, *, watching: Seat | None = None) -> record.Entry:
    """The caller holds the match's lock."""
    move = table.engine.on_timeout(table.state, seat.drawn)
    entry = record.make_move(table, seat, move, source=record.BY_THE_CLOCK, at=at, watching=watching)
    entry.move.save(force_insert=True)
    return entry
