"""A digest is a notification of its own; those that it gathers wait for it and share its fate."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from notifications.models import Notification
from notifications.models.notification import Delivery, NotificationKind
from notifications.outbox import QUEUE


@transaction.atomic
def gather(notifications: QuerySet[Notification], user_id: int, at: datetime) -> None:
    """Puts the notifications into the digest of that time; if that is gone by now, they are due again for the next. Not
    before its time: the clock may have been ahead when it went."""
    digest, _ = Notification.objects.get_or_create(
        user_id=user_id, kind=NotificationKind.DIGEST, owed_at=at, defaults={"due_at": at}
    )
    digest = Notification.objects.select_for_update().get(pk=digest.pk)
    if digest.delivery in QUEUE.waiting:
        notifications.update(
            delivery=Delivery.GATHERED, why="It waits for your digest.", due_at=at, digest=digest, tries=0
        )
    else:
        notifications.update(delivery=Delivery.QUEUED, due_at=max(at, timezone.now()), tries=0)


@transaction.atomic
def settle(digest: Notification, told: Sequence[int]) -> None:
    """After the digest has met its fate: so have those it told of; whatever came too late for it is due again."""
    fate = Notification.objects.select_for_update().get(pk=digest.pk)
    if fate.delivery in QUEUE.waiting:
        return
    shared = {"delivery": fate.delivery, "why": fate.why, "sent_at": fate.sent_at}
    fate.gathered.filter(pk__in=told, delivery=Delivery.GATHERED).update(**shared)
    left = fate.gathered.filter(delivery=Delivery.GATHERED)
    left.update(delivery=Delivery.QUEUED, digest=None, due_at=timezone.now())
