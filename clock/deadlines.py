"""Run the seats' clocks.

Every function changes the seat, and callers save it with its match. A seat stores the time left as of `counted_from`.
Its deadline and `wake_at` are computed from that time and from the player's calendar, and recomputed when either
changes. A stand-in's seat is due immediately. Bots have no clock.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from clock import vacations
from clock.announcements import DeadlinesChanged, RemindersDue
from clock.calendar import NO_TIME, ONE_DAY, Calendar, Rest
from clock.models import Downtime, Heartbeat
from core.announcements import announce, listens_to
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch
from games.services.announcements import MatchAbandoned, MatchStarted, MoveMade

LONGEST_GAP = timedelta(minutes=1)
"""The longest gap between heartbeats that does not count as downtime. Heartbeats are normally 15 seconds apart."""


@listens_to(MatchStarted)
def start_clocks(started: MatchStarted) -> None:
    for seat in started.loaded.seats:
        seat.bank = started.loaded.match.bank
    for seat in started.asked:
        start(started.loaded.match, seat, started.at, new_turn=True)


@listens_to(MoveMade)
def change_clocks(made: MoveMade) -> None:
    match = made.loaded.match
    if made.by_player:
        made.seat.timeouts, made.seat.stand_in_since = 0, None
    for seat in made.asked:
        start(match, seat, made.at, new_turn=made.advanced)
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


def start(match: Match, seat: Seat, at: datetime, *, new_turn: bool) -> None:
    """Start the seat's clock. A player who has withdrawn a sealed move gets only the time that was left."""
    if seat.is_bot:
        return
    if seat.counted_from:
        stop(match, seat, at)
    if seat.has_stand_in:
        forget(seat)
        seat.deadline = seat.wake_at = at
        return
    if new_turn or seat.time_left is None:
        seat.time_given = seat.time_left = match.move_time + seat.bank
        seat.reminders = 0
    seat.counted_from = at
    recount(match, seat, at)


def stop(match: Match, seat: Seat, at: datetime) -> None:
    """Stop the seat's clock after its move. Time beyond the move time is taken from its time bank."""
    if seat.counted_from:
        seat.time_left = left(match, seat, at)
        seat.bank = min(seat.bank, seat.time_left)
    seat.counted_from = seat.deadline = seat.wake_at = None


def forget(seat: Seat) -> None:
    """Reset the clock of a seat that no longer has to move."""
    seat.time_given = seat.time_left = seat.counted_from = seat.deadline = seat.wake_at = None
    seat.reminders = 0


def extend(match: Match, seat: Seat, time: timedelta, now: datetime) -> None:
    """Add to the time left. If no time is left, the extension counts from now."""
    if seat.time_given is not None and seat.time_left is not None:
        if not left(match, seat, now):
            settle(match, seat, now)
        seat.time_given += time
        seat.time_left += time
        recount(match, seat, now)


def settle(match: Match, seat: Seat, at: datetime, *, zone: str = "") -> None:
    """Deduct the time used up to `at`, and continue counting from there.

    `zone` is the time zone that applied until then (default: the player's).
    """
    if seat.counted_from:
        seat.time_left, seat.counted_from = left(match, seat, at, zone=zone), at


def left(match: Match, seat: Seat, at: datetime, *, zone: str = "") -> timedelta:
    if seat.time_left is None or seat.counted_from is None:
        return seat.time_left or NO_TIME
    return max(seat.time_left - calendar_of(match, seat, zone=zone).between(seat.counted_from, at), NO_TIME)


def is_late(seat: Seat, now: datetime) -> bool:
    return seat.deadline is not None and seat.deadline <= now


def recount(match: Match, seat: Seat, now: datetime) -> None:
    """Recompute the deadline and the next time to check the seat."""
    if seat.time_left is None or seat.counted_from is None:
        return
    calendar, before = calendar_of(match, seat), seat.deadline
    seat.deadline = calendar.after(seat.counted_from, seat.time_left)
    if before and before != seat.deadline:
        note_change(match, seat, now)
    seat.wake_at = next((mark for mark in reminder_times(seat, calendar) if mark > now), seat.deadline)


def note_change(match: Match, seat: Seat, now: datetime) -> None:
    """Announce a new deadline or, if many are changing, add it to those that are announced together."""
    if facts := _facts.get():
        facts.changed.append((match, seat))
    else:
        announce(DeadlinesChanged([(match, seat)], now))


def reminder_times(seat: Seat, calendar: Calendar) -> list[datetime]:
    """Return the times after `counted_from` at which the player should be reminded."""
    if seat.time_left is None or seat.time_given is None or seat.counted_from is None:
        return []
    wanted = sorted(seat.user.remind_at) if seat.user else []
    until = [seat.time_left - seat.time_given * (100 - percent) / 100 for percent in wanted]
    return [calendar.after(seat.counted_from, time) for time in until if time > NO_TIME]


def calendar_of(match: Match, seat: Seat, *, zone: str = "") -> Calendar:
    """Return the seat's calendar, with its vacations, pauses, weekends off and downtime."""
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
    """The last heartbeat, and downtime that hasn't been credited to all seats yet."""

    last_beat: datetime | None
    uncredited: list[tuple[datetime, datetime, int]]
    """Recorded downtimes, each with its start, its end, and the last seat that has been credited."""


class LastGoodBeat:
    """The last heartbeat at which this process found no uncredited downtime.

    No query is needed until LONGEST_GAP later, because a shorter gap does not count as downtime.
    """

    at: datetime | None = None


def outages(seat: Seat) -> tuple[Rest, ...]:
    """Return the downtime that has not been credited to this seat yet.

    Downtime that has been credited ends no later than the seat's `counted_from`.
    """
    now, facts = timezone.now(), _facts.get()
    if facts is None and LastGoodBeat.at and LastGoodBeat.at <= now <= LastGoodBeat.at + LONGEST_GAP:
        return ()
    known = facts.downtimes if facts else read_downtimes(now)
    rests = [(began, ended) for began, ended, credited_through in known.uncredited if credited_through < seat.pk]
    if known.last_beat and now - known.last_beat > LONGEST_GAP:
        rests.append((known.last_beat, now))
    return tuple(rests)


def read_downtimes(now: datetime) -> Downtimes:
    """Read the heartbeat before the downtimes, so that downtime recorded between the two queries shows up in one of
    them."""
    last_beat = Heartbeat.objects.values_list("at", flat=True).first()
    uncredited = list(
        Downtime.objects.filter(is_credited=False).values_list("began_at", "ended_at", "credited_through")
    )
    LastGoodBeat.at = None if uncredited else last_beat or now
    return Downtimes(last_beat, uncredited)


@dataclass(frozen=True)
class Facts:
    downtimes: Downtimes
    days_off: dict[int, tuple[tuple[date, date], ...]]
    changed: list[tuple[Match, Seat]] = field(default_factory=list)
    """The seats whose deadlines have changed."""


_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)


@contextmanager
def facts_of(matches: Sequence[LoadedMatch]) -> Iterator[None]:
    """Read downtimes and vacations once for many seats, and announce all new deadlines together."""
    away = [seat.user for loaded in matches for seat in loaded.seats if seat.user and seat.user.last_vacation_day]
    facts = Facts(read_downtimes(timezone.now()), vacations.days_off(away) if away else {})
    token = _facts.set(facts)
    try:
        yield
    finally:
        _facts.reset(token)
    if facts.changed:
        announce(DeadlinesChanged(facts.changed, timezone.now()))


def announce_reminders(matches: Sequence[LoadedMatch], now: datetime) -> None:
    woken = [(loaded, seat) for loaded in matches for seat in loaded.seats if seat.wake_at and seat.wake_at <= now]
    due = [(loaded, seat, seat.reminders) for loaded, seat in woken if reminds(loaded, seat, now)]
    if due:
        announce(RemindersDue(due, now))


def reminds(loaded: LoadedMatch, seat: Seat, now: datetime) -> bool:
    """Recompute the deadline, because the calendar may have changed, and return whether to remind the player."""
    woken_for = seat.wake_at or now
    recount(loaded.match, seat, now)
    marks = reminder_times(seat, calendar_of(loaded.match, seat))
    reminds = not is_late(seat, now) and any(woken_for <= mark <= now for mark in marks)
    seat.reminders += reminds
    return reminds
