"""Notices on their way: rows first, in the transaction of what caused them; then the bell."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from games.mail import bell
from games.models import Notice
from games.models.notice import Delivery

WAITING = (Delivery.QUEUED, Delivery.SENDING)
LEASE = timedelta(minutes=5)
"""Whoever has not dealt with a notice after this time counts as dead, and it is due again."""


@dataclass(frozen=True)
class Claim:
    """The notices that one attempt has for itself until its lease ends."""

    token: str
    ids: Sequence[int]
    until: datetime


def owe(notices: Sequence[Notice]) -> None:
    """Writes the rows. A notice that is owed already (same match, seat, turn and kind) stays as it is."""
    if notices:
        Notice.objects.bulk_create(notices, ignore_conflicts=True)
        transaction.on_commit(bell.ring)


def due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(delivery__in=WAITING, due_at__lte=now)


def claim(now: datetime, most: int) -> Claim | None:
    """Takes due notices for oneself; whoever else claims at the same moment gets others."""
    if not due(now).exists():
        return None
    token, until = uuid.uuid4().hex, now + LEASE
    with transaction.atomic():
        free = due(now).select_for_update(skip_locked=True).order_by("due_at").values("pk")[:most]
        taken = due(now).filter(pk__in=free)
        taken.update(delivery=Delivery.SENDING, claim=token, due_at=until, tries=F("tries") + 1)
    return Claim(token, list(held(token).order_by("owed_at", "pk").values_list("pk", flat=True)), until)


def held(token: str) -> QuerySet[Notice]:
    """What still belongs to an attempt: nothing that somebody else took over after the lease."""
    return Notice.objects.filter(claim=token, delivery=Delivery.SENDING)
