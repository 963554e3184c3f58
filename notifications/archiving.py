"""Archive the notifications about matches that ended a while ago, each match in its own transaction.

Some rows stay: failed deliveries, which operators look for; notifications to an address without an account; and
those that a webhook call or a received email refers to. Once nothing refers to them any longer, a later run archives
them, too.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from core.housekeeping import hourly
from games.selectors.loading import locked
from notifications import archive
from notifications.models import RANDOM_BITS, ArchivedNotifications, Delivery, Notification, WebhookCall, tag_of
from notifications.reply_addresses import GOOD_FOR

logger = logging.getLogger(__name__)

SETTLED = (Delivery.SENT, Delivery.DELIVERED, Delivery.BOUNCED, Delivery.SUPPRESSED)
WAITING = (Delivery.QUEUED, Delivery.SENDING, Delivery.GATHERED)
BATCH = 100
MOST_PER_HOUR = 2000
"""How many matches an hourly run handles. After an upgrade, `manage.py archive` handles any number at once."""

References = Callable[[OuterRef], QuerySet[Any]]
_references: list[References] = []


def refers_to_notifications(rows: References) -> References:
    """Register a query for rows that refer to a notification, which therefore has to stay a row."""
    _references.append(rows)
    return rows


@refers_to_notifications
def calls(notification: OuterRef) -> QuerySet[WebhookCall]:
    return WebhookCall.objects.filter(notification=notification)


@hourly
def archive_some(now: datetime) -> int:
    return archive_due(now, MOST_PER_HOUR)


def archive_due(now: datetime, most: int | None = None) -> int:
    """Archive notifications, and return how many matches they were about."""
    archived = 0
    for match_id in due(now):
        if archived == most:
            break
        archived += archive_match(match_id, now)
    if archived:
        logger.info("Archived notifications about matches: %s", archived)
    return archived


def due(now: datetime) -> Iterator[str]:
    """Yield the IDs of the matches in batches. Archived rows are gone, so this query reads only recent ones."""
    matches = archivable(now).order_by("match").values_list("match", flat=True).distinct()
    batch = list(matches[:BATCH])
    while batch:
        yield from batch
        batch = list(matches.filter(match__gt=batch[-1])[:BATCH])


def archivable(now: datetime) -> QuerySet[Notification]:
    """Select the rows that can be archived, except those of users who will get another notification about the match.

    What is sent can depend on what was sent earlier, and notifications that were created together are sent together.
    """
    until = now - settings.ARCHIVE_AFTER
    settled = Notification.objects.filter(delivery__in=SETTLED, user__isnull=False, email="", is_for_webhooks=False)
    old = settled.filter(match__ended_at__lte=until, created_at__lte=until)
    waiting = Notification.objects.filter(match=OuterRef("match"), user=OuterRef("user"), delivery__in=WAITING)
    rows = old.exclude(Exists(waiting))
    for references in _references:
        rows = rows.exclude(Exists(references(OuterRef("pk"))))
    return rows


@transaction.atomic
def archive_match(match_id: str, now: datetime) -> bool:
    """Archive what can be archived now, and return whether there was anything.

    Users are locked before their notifications, as everywhere else. A received email or a webhook call that is stored
    at the same time waits for the lock on its notification.
    """
    locked().filter(pk=match_id).first()
    rows = archivable(now).filter(match=match_id)
    found = list(rows.values_list("pk", "user"))
    ids, users = {pk for pk, _ in found}, {user for _, user in found}
    list(User.objects.select_for_update(no_key=True).filter(pk__in=users).order_by("pk"))
    list(Notification.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    by_user: dict[int, list[Notification]] = defaultdict(list)
    for one in rows.filter(pk__in=ids):
        if one.user_id and is_found_again(one, now):
            by_user[one.user_id].append(one)
    for user_id, notifications in by_user.items():
        add_to_archive(match_id, user_id, notifications)
    return bool(by_user)


def is_found_again(notification: Notification, now: datetime) -> bool:
    """Return whether this notification is safe to archive: replies and bounces can find it there, or can no longer
    arrive.

    Notifications created before archives existed have IDs without their match's tag.
    """
    has_tag = notification.match_id and notification.pk >> RANDOM_BITS == tag_of(notification.match_id)
    return bool(has_tag) or notification.sent_at is None or notification.sent_at < now - max(GOOD_FOR.values())


def add_to_archive(match_id: str, user_id: int, notifications: list[Notification]) -> None:
    archives = ArchivedNotifications.objects.select_for_update().filter(user=user_id, match=match_id)
    known = archives.first()
    added = known or ArchivedNotifications(user_id=user_id, match_id=match_id, tag=tag_of(match_id))
    archive.store(added, [*(archive.unpack(known) if known else ()), *notifications])
    gone = Notification.objects.filter(pk__in=[one.pk for one in notifications])
    gone._raw_delete(gone.db)  # Unlike delete(), this fails if a row still refers to one of them.
