"""How a webhook is doing: one that has failed for long is switched off, and its player is told."""

from datetime import datetime, timedelta

from notifications import outbox
from notifications.models import Notification, Webhook
from notifications.models.notification import Delivery, NotificationKind

MOST_FAILURES = 10
FAILING_FOR = timedelta(days=1)
"""So many failures in a row, over at least that time: an evening's outage switches nothing off."""


def note_taken(webhook_id: int, now: datetime) -> None:
    Webhook.objects.filter(pk=webhook_id).update(failures=0, failing_since=None, why="", taken_at=now)


def note_failure(webhook_id: int, why: str, now: datetime) -> None:
    webhook = Webhook.objects.select_for_update().filter(pk=webhook_id, off_since=None).first()
    if webhook is None:
        return
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    webhook.why = why[:200]
    webhook.save(update_fields=["failures", "failing_since", "why"])
    if webhook.failures >= MOST_FAILURES and now - webhook.failing_since >= FAILING_FOR:
        switch_off(webhook, now)


def switch_off(webhook: Webhook, now: datetime) -> None:
    webhook.off_since = now
    webhook.save(update_fields=["off_since"])
    webhook.calls.filter(delivery=Delivery.QUEUED).update(delivery=Delivery.SUPPRESSED, why="The webhook is off.")
    data = {"webhook": webhook.pk}
    outbox.owe(
        [Notification(user_id=webhook.user_id, kind=NotificationKind.WEBHOOK_OFF, data=data, owed_at=now, due_at=now)]
    )
