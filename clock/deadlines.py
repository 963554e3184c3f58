"""How the time of a seat runs: changes to the seat, which its match writes with the rest.

The time left at some moment and the player's calendar are the truth; the deadline and the next time to look follow from
them and can be worked out again whenever either has changed. Seats of stand-ins are due at once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from clock import vacations
from clock.announcements import RemindersDue
from clock.calendar import NO_TIME, ONE_DAY, Calendar, Rest
from clock.models import Downtime, Heartbeat
from core.announcements import announce, listens_to
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch
from games.services.announcements import MatchAbandoned, MatchStarted, MoveMade

LONGEST_SILENCE = timedelta(minutes=1)
"""Between two heartbeats of a service that is up, which come every 15 seconds: a few sweeps may be late."""


@listens_to(MatchStarted)
def start_clocks(started: MatchStarted) -> None:
    for seat in started.loaded.seats:
        seat.bank = started.loaded.match.bank
    for seat in started.asked:
        start(started.loaded.match, seat, started.at, anew=True)


@listens_to(MoveMade)
def change_clocks(made: MoveMade) -> None:
    match = made.loaded.match
    if made.by_player:
        made.seat.timeouts, made.seat.stand_in_since = 0, None
    for seat in made.asked:
        start(match, seat, made.at, anew=made.advanced)
    for seat in made.done:
        stop(match, seat, made.at)
    if made.advanced:
        for seat in made.loaded.seats:
            if seat.awaited_since is None:
                forget(seat)


@listens_to(MatchAbandoned)
def forget_clocks(abandoned: MatchAbandoned) -> None:
    for seat in abandoned.loaded.seats:
        forget(seat)


def start(match: Match, seat: Seat, at: datetime, *, anew: bool) -> None:
    """The seat is to move. A player who withdrew a sealed move has only the time that was left."""
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
    """The seat has moved. What it took beyond the time for a move comes out of its bank; a stand-in takes no time."""
    if seat.counted_from:
        seat.time_left = left(match, seat, at)
        seat.bank = min(seat.bank, seat.time_left)
    seat.counted_from = seat.deadline = seat.wake_at = None


def forget(seat: Seat) -> None:
    """What the seat was asked is settled."""
    seat.time_given = seat.time_left = seat.counted_from = seat.deadline = seat.wake_at = None
    seat.reminders = 0


def extend(match: Match, seat: Seat, time: timedelta, now: datetime) -> None:
    """Time that the others grant on top of what is left; from now on, if nothing is left."""
    if seat.time_given is not None and seat.time_left is not None:
        if not left(match, seat, now):
            settle(match, seat, now)
        seat.time_given += time
        seat.time_left += time
        recount(match, seat, now)


def settle(match: Match, seat: Seat, at: datetime, *, zone: str = "") -> None:
    """Count from then on, so that what lies before does not matter any more. What has passed is counted by the days of
    `zone`, the player's present one if none is given."""
    if seat.counted_from:
        seat.time_left, seat.counted_from = left(match, seat, at, zone=zone), at


def left(match: Match, seat: Seat, at: datetime, *, zone: str = "") -> timedelta:
    if seat.time_left is None or seat.counted_from is None:
        return seat.time_left or NO_TIME
    return max(seat.time_left - calendar_of(match, seat, zone=zone).between(seat.counted_from, at), NO_TIME)


def is_late(seat: Seat, now: datetime) -> bool:
    return seat.deadline is not None and seat.deadline <= now


def recount(match: Match, seat: Seat, now: datetime) -> None:
    """Work out the deadline and the next time to look, from the time left and the calendar as they are now."""
    if seat.time_left is None or seat.counted_from is None:
        return
    calendar = calendar_of(match, seat)
    seat.deadline = calendar.after(seat.counted_from, seat.time_left)
    seat.wake_at = next((mark for mark in reminder_times(seat, calendar) if mark > now), seat.deadline)


def reminder_times(seat: Seat, calendar: Calendar) -> list[datetime]:
    """When the player wants to be reminded; times before `counted_from` are not among them."""
    if seat.time_left is None or seat.time_given is None or seat.counted_from is None:
        return []
    wanted = sorted(seat.user.remind_at) if seat.user else []
    until = [seat.time_left - seat.time_given * (100 - percent) / 100 for percent in wanted]
    return [calendar.after(seat.counted_from, time) for time in until if time > NO_TIME]


def calendar_of(match: Match, seat: Seat, *, zone: str = "") -> Calendar:
    """When this player's time counts: neither on vacation, nor in a pause, nor while the service was down."""
    user, since = seat.user, seat.counted_from
    paused = [(match.paused_from, match.paused_until)] if match.paused_from and match.paused_until else []
    facts = _facts.get()
    days_off: tuple[tuple[date, date], ...] = ()
    last = user.last_vacation_day if user else None
    if user and last and (since is None or last >= (since - ONE_DAY).date()):
        days_off = (facts.days_off if facts else vacations.days_off([user])).get(user.pk, ())
    return Calendar(
        zone=ZoneInfo(zone or (user.time_zone if user else "UTC")),
        weekends_off=match.weekends_off,
        vacations=days_off,
        pauses=(*paused, *outages(seat)),
    )


@dataclass(frozen=True)
class Downtimes:
    """When the clock last ran, and the downtime that was owed to anybody after that was read."""

    last_beat: datetime | None
    owed: list[tuple[datetime, datetime, int]]
    """From, until, and the last seat that has got it back."""


class AllWell:
    """The last heartbeat that this process has seen while no downtime was owed to anybody. For as long as a silence may
    last after it, there can be none, and the database need not be asked."""

    at: datetime | None = None


def outages(seat: Seat) -> tuple[Rest, ...]:
    """Downtime that this seat may not have got back yet. What it has got back lies before its `counted_from`."""
    now, facts = timezone.now(), _facts.get()
    if facts is None and AllWell.at and AllWell.at <= now <= AllWell.at + LONGEST_SILENCE:
        return ()
    known = facts.downtimes if facts else read_downtimes(now)
    rests = [(began, ended) for began, ended, credited_through in known.owed if credited_through < seat.pk]
    if known.last_beat and now - known.last_beat > LONGEST_SILENCE:
        rests.append((known.last_beat, now))
    return tuple(rests)


def read_downtimes(now: datetime) -> Downtimes:
    """The heartbeat first: a silence that is written down between the two is then seen in one of them."""
    last_beat = Heartbeat.objects.values_list("at", flat=True).first()
    owed = list(Downtime.objects.filter(is_credited=False).values_list("began_at", "ended_at", "credited_through"))
    AllWell.at = None if owed else last_beat or now
    return Downtimes(last_beat, owed)


@dataclass(frozen=True)
class Facts:
    downtimes: Downtimes
    days_off: dict[int, tuple[tuple[date, date], ...]]


_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)


@contextmanager
def facts_of(matches: Sequence[LoadedMatch]) -> Iterator[None]:
    """For work on many seats: downtimes and vacations are read once, not for each seat."""
    away = [seat.user for loaded in matches for seat in loaded.seats if seat.user and seat.user.last_vacation_day]
    token = _facts.set(Facts(read_downtimes(timezone.now()), vacations.days_off(away) if away else {}))
    try:
        yield
    finally:
        _facts.reset(token)


def announce_reminders(matches: Sequence[LoadedMatch], now: datetime) -> None:
    woken = [(loaded, seat) for loaded in matches for seat in loaded.seats if seat.wake_at and seat.wake_at <= now]
    due = [(loaded, seat, seat.reminders) for loaded, seat in woken if reminds(loaded, seat, now)]
    if due:
        announce(RemindersDue(due, now))


def reminds(loaded: LoadedMatch, seat: Seat, now: datetime) -> bool:
    """Work the deadline out again, for the calendar may have changed. Returns whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    recount(loaded.match, seat, now)
    marks = reminder_times(seat, calendar_of(loaded.match, seat))
    reminds = not is_late(seat, now) and any(woken_for <= mark <= now for mark in marks)
    seat.reminders += reminds
    return reminds
