"""How many messages met which verdict, by day and by the way they came: for the operator."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from inbound.models import MailCount, MailVerdict

KEPT_FOR = timedelta(days=400)


def count(verdict: MailVerdict, source: str, attachments: int = 0) -> None:
    """The last thing in a transaction, as everybody who counts the same waits for its end."""
    row = {"day": timezone.now().date(), "source": source, "verdict": verdict}
    MailCount.objects.bulk_create([MailCount(**row)], ignore_conflicts=True)
    MailCount.objects.filter(**row).update(count=F("count") + 1, attachments=F("attachments") + attachments)


def counted(days: int = KEPT_FOR.days) -> Iterator[tuple[str, str, int]]:
    """Source, verdict and how many, of the last days."""
    sums = of_last(days).values("source", "verdict").annotate(total=Sum("count"))
    for row in sums.order_by("source", "verdict"):
        yield row["source"], row["verdict"], row["total"]


def attached(days: int = KEPT_FOR.days) -> Iterator[tuple[str, int]]:
    """Source and how many attachments its messages had, if any."""
    sums = of_last(days).values("source").annotate(total=Sum("attachments")).filter(total__gt=0)
    for row in sums.order_by("source"):
        yield row["source"], row["total"]


def of_last(days: int) -> QuerySet[MailCount]:
    return MailCount.objects.filter(day__gte=timezone.now().date() - timedelta(days=days - 1))
