"""How many messages met which verdict, by day and by transport: for operators."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Min, QuerySet, Sum
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from core.metrics import age, backlog
from inbound.models import InboundMail, MailCount, MailVerdict

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


@backlog
def inbound_mail(now: datetime) -> Iterator[Metric]:
    due = InboundMail.objects.filter(verdict=MailVerdict.WAITING, due_at__lte=now)
    oldest = due.aggregate(oldest=Min("received_at"))["oldest"]
    yield Gauge("turnpost_inbound_queue_mails", "Mail that came in and is not dealt with.", value=due.count())
    yield Gauge("turnpost_inbound_queue_age_seconds", "How long the oldest of it has waited.", value=age(oldest, now))
    came = Count("turnpost_inbound_mails", "Mail that came in, by what became of it.", labels=["source", "verdict"])
    for source, verdict, total in counted():
        came.add_metric([source, verdict], total)
    yield came
    files = Count(
        "turnpost_inbound_attachments", "Attachments of incoming mail, which are never read.", labels=["source"]
    )
    for source, total in attached():
        files.add_metric([source], total)
    yield files
