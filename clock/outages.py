"""Times in which the service was down and that have not been given back to a seat yet, as far as the clock needs them.

They are rests in every calendar, so a move that comes before they are given back is not charged for them.
"""

from datetime import UTC, datetime, timedelta

from django.db.models import CharField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from clock.calendar import Rest
from clock.listed import Listed
from clock.models import Downtime, Heartbeat
from games.models import Seat

LONGEST_SILENCE = timedelta(minutes=1)
"""Between two heartbeats of a service that is up, which come every 15 seconds: a few sweeps may be late."""


def with_outages(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """They come along in the query for the seats, as vacations do."""
    written = Concat(Cast("began_at", CharField()), Value("/"), Cast("ended_at", CharField()))
    owed = Downtime.objects.filter(is_credited=False, credited_through__lt=OuterRef("pk"))
    listed = Subquery(owed.order_by().values("is_credited").annotate(listed=Listed(written)).values("listed"))
    return seats.annotate(outages=listed, last_beat=Subquery(Heartbeat.objects.values("at")[:1]))  # type: ignore[no-redef]


def read(seat: Seat) -> tuple[Rest, ...]:
    """Also the one that nobody has written down yet, because the clock does not run."""
    written = (outage.split("/") for outage in (seat.outages or "").split(",") if outage)
    noted = [(moment(began), moment(ended)) for began, ended in written]
    now = timezone.now()
    silent = seat.last_beat is not None and now - seat.last_beat > LONGEST_SILENCE
    return (*noted, (seat.last_beat, now)) if silent and seat.last_beat else tuple(noted)


def moment(written: str) -> datetime:
    """As the database writes it: SQLite without a zone, which is UTC."""
    return datetime.fromisoformat(written).replace(tzinfo=UTC)
