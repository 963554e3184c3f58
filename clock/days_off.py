"""The vacations of players, as far as the clock needs them."""

from datetime import date

from django.db.models import CharField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat

from clock.listed import Listed
from clock.models import Vacation
from games.models import Seat


def with_days_off(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Vacations come along in the query for the seats, since a move has to set deadlines without asking for more."""
    written = Concat(Cast("first_day", CharField()), Value(" "), Cast("last_day", CharField()))
    theirs = Vacation.objects.filter(user=OuterRef("user")).order_by().values("user")
    listed = Subquery(theirs.annotate(listed=Listed(written)).values("listed"))
    return seats.annotate(days_off=listed)  # type: ignore[no-redef]


def read(days_off: str | None) -> tuple[tuple[date, date], ...]:
    """First and last day of each vacation."""
    written = (vacation.split() for vacation in (days_off or "").split(",") if vacation)
    return tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in written)
