"""Queue notifications. Rows are written in the transaction that causes them, and a worker is woken after the commit."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Min, Q
from prometheus_client.core import GaugeMetricFamily as Gauge

from core import sql
from core.jobs import Backoff, Queue, wake
from core.metrics import age, backlog
from notifications.models import Delivery, Notification, NotificationKind, id_about

LONGEST_TO_A_DIGEST = timedelta(days=2)


def waits_for_digest(now: datetime) -> Q:
    return Q(kind=NotificationKind.DIGEST, due_at__lte=now + LONGEST_TO_A_DIGEST)


QUEUE = Queue(
    Notification,
    state="delivery",
    queued=Delivery.QUEUED,
    claimed=Delivery.SENDING,
    lease=timedelta(minutes=5),
    most_tries=21,  # these delays cover about a day of mail server downtime
    backoff=Backoff(first=timedelta(seconds=30), longest=timedelta(hours=4)),
    may_be_ahead=waits_for_digest,
)
MAIL, WEBHOOKS = "mail", "webhooks"
"""The names of the jobs that deliver notifications."""


def add(notifications: Sequence[Notification]) -> None:
    """Insert the rows. A notification that already exists (same match, seat, turn, kind and number) stays as it is."""
    if notifications:
        sql.run([sql.insert(announced(notifications), unless_there=True)])


def announced(notifications: Sequence[Notification]) -> Sequence[Notification]:
    """Prepare rows that the caller inserts, and wake the workers after the commit."""
    for notification in notifications:
        if notification.match_id:
            notification.id = id_about(notification.match_id)
        notification.is_for_webhooks = bool(notification.user and notification.user.has_webhooks)
    transaction.on_commit(partial(wake, MAIL))
    if any(notification.is_for_webhooks for notification in notifications):
        transaction.on_commit(partial(wake, WEBHOOKS))
    return notifications


@backlog
def waiting(now: datetime) -> Iterator[Gauge]:
    due = QUEUE.due(now)
    oldest = due.aggregate(oldest=Min("due_at"))["oldest"]
    yield Gauge("turnpost_queue_notifications", "Notifications that are due but not sent.", value=due.count())
    failing = Notification.objects.filter(delivery=Delivery.QUEUED, tries__gt=0)
    yield Gauge("turnpost_queue_failing", "Notifications that failed and will be retried.", value=failing.count())
    yield Gauge("turnpost_queue_age_seconds", "Age of the oldest due notification.", value=age(oldest, now))
