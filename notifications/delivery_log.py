"""Record the result of each notification. This is done by the worker that claimed it.

Notifications in a digest get the result of the digest.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.metrics import NOTIFICATIONS
from games.models import Seat
from notifications import bounces
from notifications.models import Delivery, Notification, NotificationKind
from notifications.outbox import QUEUE
from notifications.policy import AddToDigest, Suppress, Wait

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sent:
    pass


@dataclass(frozen=True)
class Failed:
    why: str
    for_good: bool = False
    about_address: str = ""
    """The server's response, if it rejected the address."""


Result = Sent | Failed | Suppress | Wait | AddToDigest


@dataclass(frozen=True)
class Entry:
    notification: Notification
    result: Result
    seat: Seat | None = None
    gathered: Sequence[int] = ()
    """The notifications that the digest contained."""


@transaction.atomic
def note(token: str, entries: Sequence[Entry]) -> None:
    """Record the results of a batch in a single transaction."""
    by_result: dict[Result, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_result[entry.result].append(entry)
    for result, alike in by_result.items():
        note_result(token, result, alike)


def note_result(token: str, result: Result, entries: Sequence[Entry]) -> None:
    mine = QUEUE.held(token).filter(pk__in=[entry.notification.pk for entry in entries])
    now = timezone.now()
    NOTIFICATIONS.labels(type(result).__name__.lower()).inc(len(entries))
    match result:
        case Sent():
            mine.update(delivery=Delivery.SENT, why="", sent_at=now)
            note_mailed(entries, now)
        case Suppress(why=why):
            mine.update(delivery=Delivery.SUPPRESSED, why=why, due_at=now)
        case Wait(until=until, why=why):
            mine.update(why=why, **QUEUE.later(until))
        case Failed():
            for entry in entries:
                note_failure(token, entry.notification, result, now)
        case AddToDigest(at=at):
            for user_id in {entry.notification.user_id for entry in entries if entry.notification.user_id}:
                gather(mine.filter(user=user_id), user_id, at)
    for entry in entries:
        if entry.notification.kind == NotificationKind.DIGEST:
            settle(entry.notification, entry.gathered)


def note_mailed(entries: Sequence[Entry], at: datetime) -> None:
    """Record on each seat when its player was last mailed.

    Locked seats are updated after the commit, so that waiting for them doesn't delay the log entry for a sent email.
    """
    seats = {entry.seat.pk for entry in entries if entry.seat}
    if seats:
        free = Seat.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=seats)
        if Seat.objects.filter(pk__in=free.values("pk")).update(mailed_at=at) < len(seats):
            transaction.on_commit(partial(note_mailed_later, seats, at))


def note_mailed_later(seats: Collection[int], at: datetime) -> None:
    """Update the seats one at a time, to avoid deadlocks."""
    for seat in Seat.objects.filter(pk__in=seats).exclude(mailed_at__gte=at):
        try:
            Seat.objects.filter(pk=seat.pk).update(mailed_at=at)
        except OperationalError as error:
            logger.warning("Couldn't record the email to seat %s: %s", seat.pk, str(error).strip())


def note_failure(token: str, notification: Notification, failed: Failed, now: datetime) -> None:
    mine, why = QUEUE.held(token).filter(pk=notification.pk), failed.why[:200]
    if refused := after_refusal(notification, failed.about_address):
        mine.update(**refused, why=why)
    elif failed.for_good or notification.tries >= QUEUE.most_tries:
        mine.update(delivery=Delivery.DEAD, why=why)
        NOTIFICATIONS.labels("dead").inc()
        logger.error(
            "Giving up on %s. The reason is in /admin/.",
            notification,
            extra={"notification": notification.public_id, "kind": notification.kind},
        )
    else:
        mine.update(why=why, **QUEUE.again(notification.tries, now))


def after_refusal(notification: Notification, said: str) -> dict[str, Any]:
    """Treat a rejected address like a bounce.

    Return the fields to update. There are none if the failure isn't about the address.
    """
    address_record = bounces.note_refused(notification.address, said) if said else None
    if address_record is None:
        return {}
    if address_record.is_stopped:
        return {"delivery": Delivery.BOUNCED}
    return {"delivery": Delivery.QUEUED, "due_at": address_record.quiet_until, "tries": 0}


@transaction.atomic
def gather(notifications: QuerySet[Notification], user_id: int, at: datetime) -> None:
    """Add the notifications to the digest that is due at this time.

    If that digest has already been sent, perhaps while the clock was ahead, they become due again, but not before this
    time.
    """
    digest, _ = Notification.objects.get_or_create(
        user_id=user_id, kind=NotificationKind.DIGEST, created_at=at, defaults={"due_at": at}
    )
    digest = Notification.objects.select_for_update().get(pk=digest.pk)
    if digest.delivery in QUEUE.waiting:
        notifications.update(
            delivery=Delivery.GATHERED, why="Waiting for your next digest.", due_at=at, digest=digest, tries=0
        )
    else:
        notifications.update(delivery=Delivery.QUEUED, due_at=max(at, timezone.now()), tries=0)


@transaction.atomic
def settle(digest: Notification, contained: Sequence[int]) -> None:
    """Record the digest's result for each notification in it.

    Notifications that came too late for the digest become due again.
    """
    digest = Notification.objects.select_for_update().get(pk=digest.pk)
    if digest.delivery in QUEUE.waiting:
        return
    shared = {"delivery": digest.delivery, "why": digest.why, "sent_at": digest.sent_at}
    digest.gathered.filter(pk__in=contained, delivery=Delivery.GATHERED).update(**shared)
    left = digest.gathered.filter(delivery=Delivery.GATHERED)
    left.update(delivery=Delivery.QUEUED, digest=None, due_at=timezone.now())
