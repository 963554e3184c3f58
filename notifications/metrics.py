"""What waits to be told, for operators."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Min
from prometheus_client.core import GaugeMetricFamily as Gauge

from core.metrics import age, backlog
from notifications.models import Notification
from notifications.models.notification import Delivery
from notifications.outbox import QUEUE


@backlog
def notifications(now: datetime) -> Iterator[Gauge]:
    due = QUEUE.due(now)
    oldest = due.aggregate(oldest=Min("due_at"))["oldest"]
    yield Gauge("turnpost_queue_notifications", "Notifications that are due and not sent.", value=due.count())
    failing = Notification.objects.filter(delivery=Delivery.QUEUED, tries__gt=0)
    yield Gauge("turnpost_queue_failing", "Notifications that failed and are tried again later.", value=failing.count())
    yield Gauge("turnpost_queue_age_seconds", "How long the oldest of them has been due.", value=age(oldest, now))
