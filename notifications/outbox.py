"""Notices on their way: rows first, in the transaction of what caused them; then the bell."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from core import bulk_writes
from core.bulk_writes import Statement
from core.jobs import claims, wakeup
from notifications.models import Notification, Webhook
from notifications.models.notification import Delivery

WAITING = (Delivery.QUEUED, Delivery.SENDING)
LEASE = timedelta(minutes=5)
"""Whoever has not dealt with a notice after this time counts as dead, and it is due again."""
MOST_TRIES = 21
"""With the delays of the ledger, a mail server may be away for a day."""


@dataclass(frozen=True)
class Claim:
    """The notices that one attempt has for itself until its lease ends."""

    token: str
    ids: Sequence[int]
    until: datetime
    worn_out: Sequence[int] = ()
    """Those among them that had all their tries, and ended none of them."""


def owe(notices: Sequence[Notification]) -> None:
    """Writes the rows. A notice that is owed already (same match, seat, turn and kind) stays as it is."""
    if notices:
        told = {notice.user_id for notice in notices if notice.user_id}
        having = Webhook.objects.filter(user__in=told, off_since=None).values_list("user_id", flat=True)
        bulk_writes.run(owed(notices, having_webhooks=set(having)))


def owed(notices: Sequence[Notification], having_webhooks: Collection[int | None]) -> list[Statement]:
    """The statement that writes the rows, for whoever writes more than these; the bell rings after the commit."""
    for notice in notices:
        notice.is_for_webhooks = notice.user_id in having_webhooks
    if notices:
        transaction.on_commit(wakeup.ring)
    if any(notice.is_for_webhooks for notice in notices):
        transaction.on_commit(wakeup.ring_for_webhooks)
    return bulk_writes.insert(notices, unless_there=True)


def due(now: datetime) -> QuerySet[Notification]:
    return Notification.objects.filter(delivery__in=WAITING, due_at__lte=now)


def claim(now: datetime, most: int) -> Claim | None:
    """Takes due notices for oneself; whoever else claims at the same moment gets others. What an attempt left behind is
    taken one by one: if that attempt died of one of them, this one takes no other along."""
    delivery = due(now).order_by("due_at").values_list("delivery", flat=True).first()
    if delivery is None:
        return None
    until, alike = now + LEASE, due(now).filter(delivery=delivery).order_by("due_at").only("owed_at", "tries")
    most = 1 if delivery == Delivery.SENDING else most
    token, taken = claims.take(alike, most, until=until, delivery=Delivery.SENDING)
    if not taken:
        return None  # Somebody else has them just now, and rings the bell for what they leave.
    taken = sorted(taken, key=lambda notice: (notice.owed_at, notice.pk))
    worn_out = [notice.pk for notice in taken if notice.tries >= MOST_TRIES]
    return Claim(token, [notice.pk for notice in taken], until, worn_out)


def held(token: str) -> QuerySet[Notification]:
    """What still belongs to an attempt: nothing that somebody else took over after the lease."""
    return Notification.objects.filter(claim=token, delivery=Delivery.SENDING)


def is_held(notice: Notification, token: str) -> bool:
    """The same of a notice as it was loaded."""
    return notice.claim == token and notice.delivery == Delivery.SENDING
