"""What came in by mail and waits, for operators."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Min
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from core.metrics import age, backlog
from inbound import counts
from inbound.handling import QUEUE


@backlog
def inbound_mail(now: datetime) -> Iterator[Metric]:
    due = QUEUE.due(now)
    oldest = due.aggregate(oldest=Min("received_at"))["oldest"]
    yield Gauge("turnpost_inbound_queue_mails", "Mail that came in and is not dealt with.", value=due.count())
    yield Gauge("turnpost_inbound_queue_age_seconds", "How long the oldest of it has waited.", value=age(oldest, now))
    came = Count("turnpost_inbound_mails", "Mail that came in, by what became of it.", labels=["source", "verdict"])
    for source, verdict, count in counts.counted():
        came.add_metric([source, verdict], count)
    yield came
    attached = Count(
        "turnpost_inbound_attachments", "Attachments of incoming mail, which are never read.", labels=["source"]
    )
    for source, count in counts.attached():
        attached.add_metric([source], count)
    yield attached
