"""Times in which the service was down and that have not been given back yet (clock.downtime does that)."""

from datetime import datetime, timedelta

from django.utils import timezone

from clock.calendar import Rest
from clock.models import Downtime, Heartbeat
from games.models import Seat

LONGEST_SILENCE = timedelta(minutes=1)
"""Between two heartbeats of a service that is up, which come every 15 seconds: a few sweeps may be late."""


class AllWell:
    """The last heartbeat that this process has seen while no downtime was owed to anybody. For as long as a silence may
    last after it, there can be none, and the database need not be asked."""

    at: datetime | None = None


def outages(seat: Seat) -> tuple[Rest, ...]:
    """Downtime that this seat may not have got back yet. What it has got back lies before its `counted_from`."""
    now = timezone.now()
    if AllWell.at and AllWell.at <= now <= AllWell.at + LONGEST_SILENCE:
        return ()
    owed = list(Downtime.objects.filter(is_credited=False).values_list("began_at", "ended_at", "credited_through"))
    last = Heartbeat.objects.values_list("at", flat=True).first()
    AllWell.at = None if owed else last
    rests = [(began, ended) for began, ended, credited_through in owed if credited_through < seat.pk]
    if last and now - last > LONGEST_SILENCE:
        rests.append((last, now))
    return tuple(rests)
