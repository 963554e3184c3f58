"""Calculate when a player's clock runs.

This is pure arithmetic, without matches or a database. A day on the clock is always 24 hours, even when daylight saving
time begins or ends. Weekends and vacations are whole calendar days in the player's time zone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from heapq import merge

SATURDAY = 5
ONE_DAY, ONE_WEEK = timedelta(days=1), timedelta(weeks=1)
NO_TIME = timedelta()

Rest = tuple[datetime, datetime]


@dataclass(frozen=True)
class Calendar:
    """The times at which a player's clock stops.

    Each vacation has a first and a last day; each pause has a start and an end time.
    """

    zone: tzinfo = UTC
    weekends_off: bool = False
    vacations: tuple[tuple[date, date], ...] = ()
    pauses: tuple[Rest, ...] = ()

    def after(self, start: datetime, counted: timedelta) -> datetime:
        """Return when a clock that starts at `start` will have run for `counted`. The result is never during a rest."""
        moment = start.astimezone(UTC)
        for begin, end in self.rests(start):
            if begin > moment:
                if counted <= begin - moment:
                    break
                counted -= begin - moment
            moment = end
        return moment + counted

    def between(self, start: datetime, end: datetime) -> timedelta:
        counted = NO_TIME
        moment, end = start.astimezone(UTC), end.astimezone(UTC)
        for begin, rest_end in self.rests(start):
            if begin >= end:
                break
            counted += max(begin - moment, NO_TIME)
            moment = min(rest_end, end)
        return counted + max(end - moment, NO_TIME)

    def rests(self, since: datetime) -> Iterator[Rest]:
        """Yield the rests that end after `since`, in order and merged.

        If weekends are off, the sequence is infinite.
        """
        vacations = [(self.midnight(first), self.midnight(last + ONE_DAY)) for first, last in self.vacations]
        weekends = self.weekends(since) if self.weekends_off else ()
        rests = merge(sorted([*vacations, *self.pauses]), weekends)
        return joined((begin, end) for begin, end in rests if end > max(begin, since))

    def weekends(self, since: datetime) -> Iterator[Rest]:
        day = since.astimezone(self.zone).date()
        saturday = day + ONE_DAY * (SATURDAY - day.weekday())
        while True:
            yield self.midnight(saturday), self.midnight(saturday + 2 * ONE_DAY)
            saturday += ONE_WEEK

    def midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone).astimezone(UTC)


def joined(rests: Iterable[Rest]) -> Iterator[Rest]:
    """Merge overlapping and adjacent rests, which must be sorted by their start."""
    current: Rest | None = None
    for begin, end in rests:
        if current and begin <= current[1]:
            current = current[0], max(current[1], end)
            continue
        if current:
            yield current
        current = begin, end
    if current:
        yield current
