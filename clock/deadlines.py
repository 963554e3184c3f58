"""How the time of one seat runs: pure changes to a seat, which its table saves with the rest.

The time left at some moment and the player's calendar are the truth; deadline and next look follow from them and can
be worked out anew whenever either has changed. Seats of stand-ins are due at once.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clock import days_off, outages
from clock.calendar import NO_TIME, Calendar
from games.models import Match, Seat


def start(match: Match, seat: Seat, at: datetime, *, anew: bool) -> None:
    """The seat is asked. A player who took a sealed move back has only what was left."""
    if seat.counted_from:
        stop(match, seat, at)
    if seat.has_stand_in:
        forget(seat)
        seat.deadline = seat.wake_at = at
        return
    if anew or seat.time_left is None:
        seat.time_given = seat.time_left = match.move_time + seat.bank
        seat.reminders = 0
    seat.counted_from = at
    recount(match, seat, at)


def stop(match: Match, seat: Seat, at: datetime) -> None:
    """The seat has acted. What it took beyond the time for a move comes out of its bank; a stand-in takes no time."""
    if seat.counted_from:
        seat.time_left = left(match, seat, at)
        seat.bank = min(seat.bank, seat.time_left)
    seat.counted_from = seat.deadline = seat.wake_at = None


def forget(seat: Seat) -> None:
    """The question is settled."""
    seat.time_given = seat.time_left = seat.counted_from = seat.deadline = seat.wake_at = None
    seat.reminders = 0


def extend(match: Match, seat: Seat, time: timedelta, now: datetime) -> None:
    """Time that the others grant on top: of what is left, or of nothing from now on when none is."""
    if seat.time_given is not None and seat.time_left is not None:
        if not left(match, seat, now):
            settle(match, seat, now)
        seat.time_given += time
        seat.time_left += time
        recount(match, seat, now)


def settle(match: Match, seat: Seat, at: datetime) -> None:
    """Counts from then on, so that what lies before does not matter any more."""
    if seat.counted_from:
        seat.time_left, seat.counted_from = left(match, seat, at), at


def move_zone(match: Match, seat: Seat, zone_before: str, now: datetime) -> None:
    """What has passed is counted by the days of the zone where it passed."""
    if seat.user and seat.user.time_zone != zone_before:
        zone, seat.user.time_zone = seat.user.time_zone, zone_before
        settle(match, seat, now)
        seat.user.time_zone = zone


def left(match: Match, seat: Seat, at: datetime) -> timedelta:
    if seat.time_left is None or seat.counted_from is None:
        return seat.time_left or NO_TIME
    return max(seat.time_left - calendar_of(match, seat).between(seat.counted_from, at), NO_TIME)


def is_late(seat: Seat, now: datetime) -> bool:
    return seat.deadline is not None and seat.deadline <= now


def recount(match: Match, seat: Seat, now: datetime) -> None:
    """Deadline and next look anew, from the time left and the calendar as they are now."""
    if seat.time_left is None or seat.counted_from is None:
        return
    seat.deadline = calendar_of(match, seat).after(seat.counted_from, seat.time_left)
    seat.wake_at = next((mark for mark in marks(match, seat) if mark > now), seat.deadline)


def marks(match: Match, seat: Seat) -> list[datetime]:
    """When the player wants to be reminded; what was over before `counted_from` is not among them."""
    if seat.time_left is None or seat.time_given is None or seat.counted_from is None:
        return []
    wanted = sorted(seat.user.remind_at) if seat.user else []
    until = [seat.time_left - seat.time_given * (100 - percent) / 100 for percent in wanted]
    calendar = calendar_of(match, seat)
    return [calendar.after(seat.counted_from, time) for time in until if time > NO_TIME]


def calendar_of(match: Match, seat: Seat) -> Calendar:
    paused = match.paused_from and match.paused_until and (match.paused_from, match.paused_until)
    agreed = (paused,) if paused else ()
    return Calendar(
        zone=ZoneInfo(seat.user.time_zone if seat.user else "UTC"),
        weekends_off=match.weekends_off,
        vacations=days_off.read(seat.days_off),
        pauses=(*agreed, *outages.read(seat)),
    )
