"""Who is to be reminded now, decided under the lock of the match."""

from collections.abc import Sequence
from datetime import datetime

from clock import deadlines
from clock.announcements import RemindersDue
from core.announcements import announce
from games.models import Seat
from games.selectors.loading import LoadedMatch


def announce_reminders(matches: Sequence[LoadedMatch], now: datetime) -> None:
    woken = [(loaded, seat) for loaded in matches for seat in loaded.seats if seat.wake_at and seat.wake_at <= now]
    due = [(loaded, seat, seat.reminders) for loaded, seat in woken if reminds(loaded, seat, now)]
    if due:
        announce(RemindersDue(due, now))


def reminds(loaded: LoadedMatch, seat: Seat, now: datetime) -> bool:
    """Work the deadline out again, for the calendar may have changed. Returns whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    deadlines.recount(loaded.match, seat, now)
    marks = deadlines.reminder_times(seat, deadlines.calendar_of(loaded.match, seat))
    reminds = not deadlines.is_late(seat, now) and any(woken_for <= mark <= now for mark in marks)
    seat.reminders += reminds
    return reminds
