"""Time is up: harmless moves are made for whoever is late, and everybody is told."""

from datetime import datetime

from clock import proposals, stand_ins
from clock.deadlines import is_late
from games.models import Seat
from games.selectors.loading import LoadedMatch
from games.services import notices, record
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import NotificationKind


def any_late(table: LoadedMatch, now: datetime) -> bool:
    return any(is_late(seat, now) for seat in table.seats)


def time_out(table: LoadedMatch, now: datetime) -> None:
    """The caller holds the match's lock, and has worked out the deadlines anew."""
    turn, late = table.match.turn, []
    for seat in table.seats:
        if is_late(seat, now) and not seat.has_stand_in:
            late.append(seat)
            miss_turn(table, seat, now)
    if any(seat.has_stand_in for seat in late):
        proposals.reconsider(table, now)
    stand_ins.go_on(table, now)
    record.write_down(table)
    if late:
        outbox.owe(deadline_notices(table, late, turn, now))


def miss_turn(table: LoadedMatch, seat: Seat, now: datetime) -> None:
    seat.timeouts += 1
    if seat.timeouts >= table.match.patience:
        seat.stand_in_since = now
    else:
        finish_turn(table, seat, now)


def finish_turn(table: LoadedMatch, seat: Seat, now: datetime) -> None:
    """A turn of several steps is played to its end: nobody waits for the second half of a move that came too late. If
    the next turn is the same player's, they have all its time."""
    stand_ins.move_for(table, seat, now)
    while table.engine.is_mid_turn(table.state):
        stand_ins.move_for(table, seat, now)


def deadline_notices(table: LoadedMatch, late: list[Seat], turn: int, now: datetime) -> list[Notification]:
    replaced = [seat.number for seat in late if seat.has_stand_in]
    return notices.to_seats(
        table,
        table.seats,
        NotificationKind.DEADLINE_PASSED,
        now,
        turn=turn,
        occasion=late[0].drawn + 1,
        data={"late": [seat.number for seat in late], "stand_ins": replaced},
    )
