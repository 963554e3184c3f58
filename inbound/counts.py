"""Count received email per day, source and result, for operators."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Min, QuerySet, Sum
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from core.metrics import age, backlog
from inbound.models import InboundMail, MailCount, MailResult

RETENTION = timedelta(days=400)


def count(result: MailResult, source: str, attachments: int = 0) -> None:
    """Count one message.

    Call this last in a transaction, because other transactions that change the same row must wait until this one ends.
    """
    row = {"day": timezone.now().date(), "source": source, "result": result}
    MailCount.objects.bulk_create([MailCount(**row)], ignore_conflicts=True)
    MailCount.objects.filter(**row).update(count=F("count") + 1, attachments=F("attachments") + attachments)


def counted(days: int = RETENTION.days) -> Iterator[tuple[str, str, int]]:
    """Return the number of messages by source and result."""
    sums = of_last(days).values("source", "result").annotate(total=Sum("count"))
    for row in sums.order_by("source", "result"):
        yield row["source"], row["result"], row["total"]


def attached(days: int = RETENTION.days) -> Iterator[tuple[str, int]]:
    """Return the number of attachments by source. Sources without attachments are left out."""
    sums = of_last(days).values("source").annotate(total=Sum("attachments")).filter(total__gt=0)
    for row in sums.order_by("source"):
        yield row["source"], row["total"]


def of_last(days: int) -> QuerySet[MailCount]:
    return MailCount.objects.filter(day__gte=timezone.now().date() - timedelta(days=days - 1))


@backlog
def inbound_mail(now: datetime) -> Iterator[Metric]:
    due = InboundMail.objects.filter(result=MailResult.WAITING, due_at__lte=now)
    oldest = due.aggregate(oldest=Min("received_at"))["oldest"]
    yield Gauge("turnpost_inbound_queue_mails", "Received emails that haven't been handled yet.", value=due.count())
    yield Gauge(
        "turnpost_inbound_queue_age_seconds",
        "Age of the oldest email that hasn't been handled yet.",
        value=age(oldest, now),
    )
    mails = Count("turnpost_inbound_mails", "Received emails by source and result.", labels=["source", "result"])
    for source, result, total in counted():
        mails.add_metric([source, result], total)
    yield mails
    files = Count(
        "turnpost_inbound_attachments", "Attachments to received emails. They are never opened.", labels=["source"]
    )
    for source, total in attached():
        files.add_metric([source], total)
    yield files
