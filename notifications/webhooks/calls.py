"""Calls on their way: made of notices, claimed by whoever makes them, and noted afterwards."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.jobs import claims
from notifications.models import Notification, Webhook, WebhookCall
from notifications.models.notification import Delivery
from notifications.outbox import WAITING
from notifications.policy import Suppress, Wait
from notifications.webhooks import health
from notifications.webhooks.http import NotTaken, Taken

LEASE = timedelta(minutes=2)
BATCH = 200
FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(hours=1)
MOST_TRIES = 10
"""With these delays, the other side may be away for some hours."""

KEPT_FOR = timedelta(days=30)
"""So long its player can see what became of a call."""

Result = Taken | NotTaken | Suppress | Wait


@dataclass(frozen=True)
class Claim:
    token: str
    calls: Sequence[WebhookCall]


def make_all() -> None:
    while make_batch():
        pass


@transaction.atomic
def make_batch() -> bool:
    """A call for each webhook that wants to hear of the notice. Whether there was anything left to do."""
    waiting = Notification.objects.filter(is_for_webhooks=True).select_for_update(skip_locked=True).order_by("pk")
    notices, now = list(waiting[:BATCH]), timezone.now()
    webhooks = Webhook.objects.filter(user__in={notice.user_id for notice in notices}, off_since=None)
    owed = [
        WebhookCall(webhook=webhook, notice=notice, made_at=now, due_at=now)
        for webhook in webhooks
        for notice in notices
        if webhook.user_id == notice.user_id and notice.kind in webhook.kinds
    ]
    WebhookCall.objects.bulk_create(owed, ignore_conflicts=True)
    Notification.objects.filter(pk__in=[notice.pk for notice in notices]).update(is_for_webhooks=False)
    return len(notices) == BATCH


def due(now: datetime) -> QuerySet[WebhookCall]:
    return WebhookCall.objects.filter(delivery__in=WAITING, due_at__lte=now)


def claim(now: datetime, most: int) -> Claim | None:
    """Takes due calls for oneself; whoever else claims at the same moment gets others. As with notices, what an attempt
    left behind is taken one by one: if that attempt died of one of them, this one takes no other along."""
    delivery = due(now).order_by("due_at").values_list("delivery", flat=True).first()
    if delivery is None:
        return None
    alike = due(now).filter(delivery=delivery).order_by("due_at").only("pk")
    most = 1 if delivery == Delivery.SENDING else most
    token, taken = claims.take(alike, most, until=now + LEASE, delivery=Delivery.SENDING)
    if not taken:
        return None
    return Claim(token, list(held(token).select_related("webhook__user").order_by("pk")))


def held(token: str) -> QuerySet[WebhookCall]:
    """What still belongs to an attempt: nothing that somebody else took over after the lease."""
    return WebhookCall.objects.filter(claim=token, delivery=Delivery.SENDING)


@transaction.atomic
def note(call: WebhookCall, result: Result) -> None:
    mine, now = held(call.claim).filter(pk=call.pk), timezone.now()
    match result:
        case Suppress(why=why):
            mine.update(delivery=Delivery.SUPPRESSED, why=why)
        case Wait(until=until, why=why):
            mine.update(delivery=Delivery.QUEUED, why=why, due_at=until, tries=0)
        case Taken(status=status):
            if mine.update(delivery=Delivery.SENT, why="", status=status, sent_at=now):
                health.note_taken(call.webhook_id, now)
        case NotTaken():
            if mine.update(**after_failure(call, result, now)) and not call.is_test:
                health.note_failure(call.webhook_id, result.why, now)


def after_failure(call: WebhookCall, failed: NotTaken, now: datetime) -> dict[str, Any]:
    """A test is made once: whoever asked for it waits for the answer."""
    noted: dict[str, Any] = {"why": failed.why[:200], "status": failed.status}
    if call.is_test or not failed.again or call.tries >= MOST_TRIES:
        return noted | {"delivery": Delivery.DEAD}
    wait = max(delay(call.tries), timedelta(seconds=failed.after))
    return noted | {"delivery": Delivery.QUEUED, "due_at": now + wait}


def delay(tries: int) -> timedelta:
    """Twice as long after each failure, and never the same for all."""
    longest: timedelta = min(FIRST_DELAY * 2 ** (tries - 1), LONGEST_DELAY)
    return longest * random.SystemRandom().uniform(0.5, 1.0)


def forget_old(now: datetime) -> None:
    """What is still owed stays, however old."""
    WebhookCall.objects.filter(made_at__lt=now - KEPT_FOR).exclude(delivery__in=WAITING).delete()
