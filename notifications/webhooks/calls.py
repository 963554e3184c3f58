"""Queue webhook calls. A webhook that keeps failing is turned off, and its owner gets an email."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.housekeeping import hourly
from core.jobs import Backoff, Queue
from notifications import outbox
from notifications.models import Delivery, Notification, NotificationKind, Webhook, WebhookCall
from notifications.policy import Suppress, Wait
from notifications.webhooks import targets
from notifications.webhooks.http import NotTaken, Taken

BATCH = 200
RETENTION = timedelta(days=30)
"""How long owners can see the results of calls."""
MOST_FAILURES = 10
FAILING_FOR = timedelta(days=1)
"""The minimum period over which MOST_FAILURES in a row turn off a webhook, so that a short outage isn't enough."""

Result = Taken | NotTaken | Suppress | Wait

QUEUE = Queue(
    WebhookCall,
    state="delivery",
    queued=Delivery.QUEUED,
    claimed=Delivery.SENDING,
    lease=timedelta(minutes=2),
    most_tries=10,  # these delays cover some hours of downtime
    backoff=Backoff(first=timedelta(seconds=30), longest=timedelta(hours=1)),
)


def make_all() -> None:
    while make_batch():
        pass


@transaction.atomic
def make_batch() -> bool:
    """Create calls for the next notifications, and return whether there may be more."""
    waiting = Notification.objects.filter(is_for_webhooks=True).select_for_update(skip_locked=True)
    notifications, now = list(waiting.order_by("created_at")[:BATCH]), timezone.now()
    webhooks = Webhook.objects.filter(
        user__in={notification.user_id for notification in notifications}, disabled_at=None
    )
    new_calls = [
        WebhookCall(webhook=webhook, notification=notification, created_at=now, due_at=now)
        for webhook in webhooks
        for notification in notifications
        if webhook.user_id == notification.user_id and notification.kind in webhook.kinds
    ]
    WebhookCall.objects.bulk_create(new_calls, ignore_conflicts=True)
    Notification.objects.filter(pk__in=[each.pk for each in notifications]).update(is_for_webhooks=False)
    return len(notifications) == BATCH


@transaction.atomic
def note(call: WebhookCall, token: str, result: Result) -> None:
    mine, now = QUEUE.held(token).filter(pk=call.pk), timezone.now()
    match result:
        case Suppress(why=why):
            mine.update(delivery=Delivery.SUPPRESSED, why=why)
        case Wait(until=until, why=why):
            mine.update(why=why, **QUEUE.later(until))
        case Taken(status=status):
            if mine.update(delivery=Delivery.SENT, why="", status=status, sent_at=now):
                note_taken(call.webhook_id, now)
        case NotTaken():
            if mine.update(**after_failure(call, result, now)) and not call.is_test:
                note_failure(call.webhook_id, result.why, now)


def after_failure(call: WebhookCall, failed: NotTaken, now: datetime) -> dict[str, Any]:
    """Return the fields to update after a failed call.

    Test calls aren't retried, because the owner is waiting for the result.
    """
    noted: dict[str, Any] = {"why": failed.why[:200], "status": failed.status}
    tries = call.tries + 1
    if call.is_test or not failed.again or tries >= QUEUE.most_tries:
        return noted | {"delivery": Delivery.DEAD}
    return noted | QUEUE.again(tries, now, after=timedelta(seconds=failed.after))


def note_taken(webhook_id: int, now: datetime) -> None:
    Webhook.objects.filter(pk=webhook_id).update(failures=0, failing_since=None, why="", last_success_at=now)


def note_failure(webhook_id: int, why: str, now: datetime) -> None:
    """Record a failure, and turn off the webhook after too many.

    The user is locked before the webhook, as everywhere else.
    """
    User.objects.select_for_update(of=("self",)).filter(webhooks=webhook_id).first()
    webhook = Webhook.objects.select_for_update().filter(pk=webhook_id, disabled_at=None).first()
    if webhook is None:
        return
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    webhook.why = why[:200]
    webhook.save(update_fields=["failures", "failing_since", "why"])
    if webhook.failures >= MOST_FAILURES and now - webhook.failing_since >= FAILING_FOR:
        turn_off(webhook, now)


def turn_off(webhook: Webhook, now: datetime) -> None:
    webhook.disabled_at = now
    webhook.save(update_fields=["disabled_at"])
    webhook.calls.filter(delivery=Delivery.QUEUED).update(delivery=Delivery.SUPPRESSED, why="The webhook is off.")
    update_has_webhooks(webhook.user_id)
    data = {"webhook": webhook.pk, "host": targets.read(webhook.url).host}
    outbox.add(
        [Notification(user=webhook.user, kind=NotificationKind.WEBHOOK_OFF, data=data, created_at=now, due_at=now)]
    )


def update_has_webhooks(user_id: int) -> None:
    """Record on the user whether they have webhooks, so that a move needs no extra query.

    The caller must lock the user first.
    """
    is_on = Webhook.objects.filter(user=user_id, disabled_at=None).exists()
    User.objects.filter(pk=user_id).update(has_webhooks=is_on)


@hourly
def forget_old(now: datetime) -> None:
    WebhookCall.objects.filter(created_at__lt=now - RETENTION).exclude(delivery__in=QUEUE.waiting).delete()
