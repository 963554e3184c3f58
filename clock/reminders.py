"""Who is to be reminded now, worked out under the lock of the match."""

from datetime import datetime

from clock import deadlines
from games.models import Seat
from games.selectors.loading import LoadedMatch
from games.services import notices
from notifications.models import Notification
from notifications.models.notification import NotificationKind


def due(table: LoadedMatch, now: datetime) -> list[Notification]:
    woken = [seat for seat in table.seats if seat.wake_at and seat.wake_at <= now]
    return [notice for seat in woken if look_again(table, seat, now) for notice in reminder(table, seat, now)]


def look_again(table: LoadedMatch, seat: Seat, now: datetime) -> bool:
    """Works the deadline out anew, for the calendar may have changed. Whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    deadlines.recount(table.match, seat, now)
    remind = not deadlines.is_late(seat, now) and any(
        woken_for <= mark <= now for mark in deadlines.marks(table.match, seat)
    )
    seat.reminders += remind
    return remind


def reminder(table: LoadedMatch, seat: Seat, now: datetime) -> list[Notification]:
    return notices.to_seats(table, [seat], NotificationKind.REMINDER, now, occasion=seat.reminders)
