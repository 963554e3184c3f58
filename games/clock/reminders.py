"""Who is to be reminded now, worked out under the lock of the match."""

from datetime import datetime

from games import notices
from games.clock import count
from games.models import Notice, Seat
from games.models.notice import NoticeKind
from games.table import Table


def due(table: Table, now: datetime) -> list[Notice]:
    woken = [seat for seat in table.seats if seat.wake_at and seat.wake_at <= now]
    return [notice for seat in woken if look_again(table, seat, now) for notice in reminder(table, seat, now)]


def look_again(table: Table, seat: Seat, now: datetime) -> bool:
    """Works the deadline out anew, for the calendar may have changed. Whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    count.recount(table.match, seat, now)
    remind = not count.is_late(seat, now) and any(woken_for <= mark <= now for mark in count.marks(table.match, seat))
    seat.reminders += remind
    return remind


def reminder(table: Table, seat: Seat, now: datetime) -> list[Notice]:
    return notices.to_seats(table, [seat], NoticeKind.REMINDER, now, occasion=seat.reminders)
