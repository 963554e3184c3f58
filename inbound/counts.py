"""Count received email per day, source and verdict, for operators."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Min, QuerySet, Sum
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from core.metrics import age, backlog
from inbound.models import InboundMail, MailCount, MailVerdict

RETENTION = timedelta(days=400)


def count(verdict: MailVerdict, source: str, attachments: int = 0) -> None:
    """Count one message. Call this last in a transaction, because others that count in the same row wait for it to
    end."""
    row = {"day": timezone.now().date(), "source": source, "verdict": verdict}
    MailCount.objects.bulk_create([MailCount(**row)], ignore_conflicts=True)
    MailCount.objects.filter(**row).update(count=F("count") + 1, attachments=F("attachments") + attachments)


def counted(days: int = RETENTION.days) -> Iterator[tuple[str, str, int]]:
    """Return the number of messages by source and verdict."""
    sums = of_last(days).values("source", "verdict").annotate(total=Sum("count"))
    for row in sums.order_by("source", "verdict"):
        yield row["source"], row["verdict"], row["total"]


def attached(days: int = RETENTION.days) -> Iterator[tuple[str, int]]:
    """Return the number of attachments by source, for sources that had any."""
    sums = of_last(days).values("source").annotate(total=Sum("attachments")).filter(total__gt=0)
    for row in sums.order_by("source"):
        yield row["source"], row["total"]


def of_last(days: int) -> QuerySet[MailCount]:
    return MailCount.objects.filter(day__gte=timezone.now().date() - timedelta(days=days - 1))


@backlog
def inbound_mail(now: datetime) -> Iterator[Metric]:
    due = InboundMail.objects.filter(verdict=MailVerdict.WAITING, due_at__lte=now)
    oldest = due.aggregate(oldest=Min("received_at"))["oldest"]
    yield Gauge("turnpost_inbound_queue_mails", "Received emails that haven't been handled yet.", value=due.count())
    yield Gauge(
        "turnpost_inbound_queue_age_seconds",
        "Age of the oldest email that hasn't been handled yet.",
        value=age(oldest, now),
    )
    mails = Count("turnpost_inbound_mails", "Received emails by source and verdict.", labels=["source", "verdict"])
    for source, verdict, total in counted():
        mails.add_metric([source, verdict], total)
    yield mails
    files = Count(
        "turnpost_inbound_attachments", "Attachments to received emails. They are never opened.", labels=["source"]
    )
    for source, total in attached():
        files.add_metric([source], total)
    yield files
