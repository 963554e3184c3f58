"""The vacations of players, as far as the clock needs them."""

from datetime import date, timedelta
from typing import Any

from django.db.models import Aggregate, CharField, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from accounts.models import Vacation
from games.models import Seat

LOOKED_BACK = timedelta(days=400)
"""No time runs for so long that older vacations could matter."""


class Listed(Aggregate):
    """Texts, with commas between them."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, *args: Any, **extra: Any) -> Any:
        return self.as_sql(*args, function="GROUP_CONCAT", **extra)


def with_days_off(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Vacations come along in the query for the seats, since a move has to set deadlines without asking for more."""
    since = timezone.now().date() - LOOKED_BACK
    written = Concat(Cast("first_day", CharField()), Value(" "), Cast("last_day", CharField()))
    theirs = Vacation.objects.filter(user=OuterRef("user"), last_day__gte=since).order_by().values("user")
    listed = Subquery(theirs.annotate(listed=Listed(written)).values("listed"))
    return seats.annotate(days_off=listed)  # type: ignore[no-redef]


def read(days_off: str | None) -> tuple[tuple[date, date], ...]:
    """First and last day of each vacation."""
    written = (vacation.split() for vacation in (days_off or "").split(",") if vacation)
    return tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in written)
