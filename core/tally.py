"""Strict limits, for what is worth guessing or flooding: counted in the database, by all processes together."""

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db.models import Case, F, Q, When
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core.models import Tally
from core.rates import Rate
from core.refusals import Refused

CLOCKS_DIFFER_BY = timedelta(minutes=1)
"""Between processes and machines, at most; also the time from a look at the clock to the statement."""


def spend(scope: str, *who: str) -> None:
    """Counts one more try, or refuses. Call it before a transaction: a rollback would forget the count."""
    rate: Rate = settings.RATES[scope]
    now = timezone.now()
    key, until = _key(scope, who), now + timedelta(seconds=rate.seconds)
    Tally.objects.bulk_create([Tally(key=key, count=0, until=until)], ignore_conflicts=True)
    # A window that ends much later than one that begins now is of a time when the clock was ahead.
    is_over = Q(until__lte=now) | Q(until__gt=until + CLOCKS_DIFFER_BY)
    closed = When(is_over, then=1), When(is_over, then=until)
    Tally.objects.filter(key=key).update(
        count=Case(closed[0], default=F("count") + 1), until=Case(closed[1], default=F("until"))
    )
    tally = Tally.objects.filter(key=key).first()
    if tally and tally.count > rate.count:
        wait = max(1, ceil((tally.until - now).total_seconds()))
        raise Refused(
            429,
            "too_many_attempts",
            "Too many attempts.",
            f"Try again in {wait} seconds.",
            retry_after=wait,
        )


def forgive(scope: str, *who: str) -> None:
    """Starts anew, after a success that shows it was no guessing."""
    Tally.objects.filter(key=_key(scope, who)).delete()


def forget_old() -> int:
    return Tally.objects.filter(until__lt=timezone.now()).delete()[0]


def _key(scope: str, who: tuple[str, ...]) -> str:
    return salted_hmac("core.tally", "\n".join([scope, *who]), algorithm="sha256").hexdigest()
