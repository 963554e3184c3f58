"""Notifications on their way: rows first, in the transaction of their cause; then a worker is woken."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q

from core import sql
from core.jobs import Backoff, Queue, wake
from notifications.models import Notification
from notifications.models.notification import Delivery, NotificationKind

LONGEST_TO_A_DIGEST = timedelta(days=2)


def waits_for_digest(now: datetime) -> Q:
    return Q(kind=NotificationKind.DIGEST, due_at__lte=now + LONGEST_TO_A_DIGEST)


QUEUE = Queue(
    Notification,
    state="delivery",
    queued=Delivery.QUEUED,
    claimed=Delivery.SENDING,
    lease=timedelta(minutes=5),
    most_tries=21,  # with these delays, a mail server may be away for a day
    backoff=Backoff(first=timedelta(seconds=30), longest=timedelta(hours=4)),
    may_be_ahead=waits_for_digest,
)
MAIL, WEBHOOKS = "mail", "webhooks"
"""The kinds of jobs that notifications become."""


def add(notifications: Sequence[Notification]) -> None:
    """Write the rows. A notification that is there already (same match, seat, turn, kind and number) stays as it is."""
    if notifications:
        sql.run([sql.insert(announced(notifications), unless_there=True)])


def announced(notifications: Sequence[Notification]) -> Sequence[Notification]:
    """The same rows, for a caller that writes more than these; workers are woken after the commit."""
    for notification in notifications:
        notification.is_for_webhooks = bool(notification.user and notification.user.has_webhooks)
    transaction.on_commit(partial(wake, MAIL))
    if any(notification.is_for_webhooks for notification in notifications):
        transaction.on_commit(partial(wake, WEBHOOKS))
    return notifications
