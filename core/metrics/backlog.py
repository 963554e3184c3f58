"""What waits, read from the database when somebody asks: any web process can tell, whichever worker is behind."""

from collections.abc import Iterator
from datetime import datetime
from math import inf

from django.db import DatabaseError
from django.db.models import Min
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from clock.models import Heartbeat
from games.models import Seat
from inbound import counts, handling
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import Delivery


class Backlog(Collector):
    def collect(self) -> Iterator[Metric]:
        """Without a database this part is missing, and says so."""
        try:
            now = timezone.now()
            waiting: list[Metric] = [*notices(now), *inbound_mail(now), *clock(now)]
        except DatabaseError:
            waiting = []
        yield Gauge("turnpost_database_up", "Whether the database answers.", value=bool(waiting))
        yield from waiting


def notices(now: datetime) -> Iterator[Gauge]:
    due = outbox.due(now)
    oldest = due.aggregate(oldest=Min("due_at"))["oldest"]
    yield Gauge("turnpost_queue_notices", "Notices that are due and not sent.", value=due.count())
    failing = Notification.objects.filter(delivery=Delivery.QUEUED, tries__gt=0)
    yield Gauge("turnpost_queue_failing", "Notices that failed and are tried again later.", value=failing.count())
    yield Gauge("turnpost_queue_age_seconds", "How long the oldest of them has been due.", value=age(oldest, now))


def inbound_mail(now: datetime) -> Iterator[Metric]:
    due = handling.due(now)
    oldest = due.aggregate(oldest=Min("received_at"))["oldest"]
    yield Gauge("turnpost_inbound_queue_mails", "Mail that came in and is not dealt with.", value=due.count())
    yield Gauge("turnpost_inbound_queue_age_seconds", "How long the oldest of it has waited.", value=age(oldest, now))
    came = Count("turnpost_inbound_mails", "Mail that came in, by what became of it.", labels=["source", "verdict"])
    for source, verdict, count in counts.counted():
        came.add_metric([source, verdict], count)
    yield came
    attached = Count("turnpost_inbound_attachments", "What was attached to it, and never read.", labels=["source"])
    for source, count in counts.attached():
        attached.add_metric([source], count)
    yield attached


def clock(now: datetime) -> Iterator[Gauge]:
    oldest = Seat.objects.filter(wake_at__lte=now).aggregate(oldest=Min("wake_at"))["oldest"]
    last = Heartbeat.objects.aggregate(last=Min("at"))["last"]
    yield Gauge("turnpost_sweep_lag_seconds", "How long the clock has owed somebody a look.", value=age(oldest, now))
    swept = age(last, now) if last else inf
    yield Gauge("turnpost_sweep_age_seconds", "How long ago the clock last swept.", value=swept)


def age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
