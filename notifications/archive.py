"""Notifications about matches that ended a while ago. Each user has one compressed row per match.

Lists and checks read both archives and rows. If a reply or a bounce refers to an archived notification, it is restored
as a row.
"""

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from core.paging import beyond
from games.models import Match
from notifications.models import RANDOM_BITS, ArchivedNotifications, Notification

LATEST_FIRST = ("-created_at", "id")
KEPT = ("seat", "turn", "kind", "number", "data", "delivery", "why", "digest_id", "tries")
"""The fields that are stored unchanged. The others are stored more compactly, or are the same for all notifications."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ID_BYTES = RANDOM_BITS // 8


class Packed(msgspec.Struct, array_like=True):
    ids: bytes
    """The IDs without their tag."""
    others: list[int | None]
    """The complete IDs of notifications with a different tag."""
    created: list[int]
    """Microseconds since the previous notification was created."""
    sent: list[int | None]
    """Microseconds between creating and sending the notification."""
    kept: list[list[Any]]


_decoder = msgspec.msgpack.Decoder(Packed)


def pack(notifications: Sequence[Notification], tag: int) -> bytes:
    created = [(one.created_at - EPOCH) // MICROSECOND for one in notifications]
    packed = Packed(
        ids=b"".join((one.pk & (1 << RANDOM_BITS) - 1).to_bytes(ID_BYTES) for one in notifications),
        others=[None if one.pk >> RANDOM_BITS == tag else one.pk for one in notifications],
        created=[after - before for before, after in pairwise([0, *created])],
        sent=[(one.sent_at - one.created_at) // MICROSECOND if one.sent_at else None for one in notifications],
        kept=[[getattr(one, name) for one in notifications] for name in KEPT],
    )
    return zlib.compress(msgspec.msgpack.encode(packed), 9)


def unpack(archive: ArchivedNotifications) -> list[Notification]:
    packed = _decoder.decode(zlib.decompress(archive.content))
    ids = [
        other or archive.tag << RANDOM_BITS | int.from_bytes(packed.ids[place * ID_BYTES : (place + 1) * ID_BYTES])
        for place, other in enumerate(packed.others)
    ]
    times = [EPOCH + at * MICROSECOND for at in accumulate(packed.created)]
    return [
        Notification(
            id=number,
            user_id=archive.user_id,
            match_id=archive.match_id,
            created_at=at,
            sent_at=None if sent is None else at + sent * MICROSECOND,
            due_at=at,
            **dict(zip(KEPT, kept, strict=True)),
        )
        for number, at, sent, *kept in zip(ids, times, packed.sent, *packed.kept, strict=True)
    ]


def about(match: Match | None, user: User | None) -> list[Notification]:
    """Return the user's archived notifications about a match."""
    if match is None or user is None or match.ended_at is None:
        return []
    return all_in(ArchivedNotifications.objects.filter(user=user, match=match))


def all_in(archives: Iterable[ArchivedNotifications]) -> list[Notification]:
    return [notification for archive in archives for notification in unpack(archive)]


def find(notification_id: int, *, lock: bool = False) -> Notification | None:
    """Return a notification as a row, locked if requested. Restore it from an archive if necessary."""
    rows = Notification.objects.select_related("user").filter(pk=notification_id)
    rows = rows.select_for_update(of=("self",)) if lock else rows
    return rows.first() or (rows.first() if bring_back(notification_id) else None)


@transaction.atomic
def bring_back(notification_id: int) -> bool:
    """Insert an archived notification as a row. It is archived again later. Return False if no archive contains it."""
    tag = notification_id >> RANDOM_BITS
    for archive in ArchivedNotifications.objects.select_for_update().filter(tag=tag).order_by("pk"):
        notifications = unpack(archive)
        wanted = [one for one in notifications if one.pk == notification_id]
        if wanted:
            store(archive, [one for one in notifications if one.pk != notification_id])
            Notification.objects.bulk_create(wanted)
            return True
    return Notification.objects.filter(pk=notification_id).exists()


def store(archive: ArchivedNotifications, notifications: Collection[Notification]) -> None:
    """Replace the content of an archive. An archive without notifications is deleted."""
    ordered = sorted(notifications, key=lambda one: (one.created_at, one.pk))
    if ordered:
        archive.first_at, archive.last_at = ordered[0].created_at, ordered[-1].created_at
        archive.content = pack(ordered, archive.tag)
        archive.save()
    elif archive.pk:
        archive.delete()


def page_of(user: User, ordering: Sequence[str], place: Sequence[Any], most: int) -> list[Notification]:
    """Return a user's next notifications after a given position, either in LATEST_FIRST order or in reverse.

    Only archives that may contain some of these notifications are unpacked.
    """
    forward = tuple(ordering) == LATEST_FIRST
    rows = Notification.objects.filter(user=user)
    found = list((rows.filter(beyond(Notification, ordering, place)) if place else rows).order_by(*ordering)[:most])
    known = {one.pk for one in found}
    archives = ArchivedNotifications.objects.filter(user=user).order_by("-last_at" if forward else "first_at")
    for archive in within_reach(archives, place, forward=forward):
        nearest = archive.last_at if forward else archive.first_at
        if len(found) == most and is_past(nearest, found[-1].created_at, forward=forward):
            break
        found += [one for one in unpack(archive) if one.pk not in known and is_after(one, place, forward=forward)]
        found = sorted(found, key=lambda one: one.pk, reverse=not forward)
        found = sorted(found, key=lambda one: one.created_at, reverse=forward)[:most]
    return found


def within_reach(
    archives: QuerySet[ArchivedNotifications], place: Sequence[Any], *, forward: bool
) -> Iterator[ArchivedNotifications]:
    if place:
        at = place_in(place)[0]
        archives = archives.filter(first_at__lte=at) if forward else archives.filter(last_at__gte=at)
    return archives.iterator(chunk_size=20)


def is_past(nearest: datetime, last: datetime, *, forward: bool) -> bool:
    return nearest < last if forward else nearest > last


def is_after(one: Notification, place: Sequence[Any], *, forward: bool) -> bool:
    if not place:
        return True
    at, number = place_in(place)
    if one.created_at != at:
        return (one.created_at < at) == forward
    return one.pk != number and (one.pk > number) == forward


def place_in(place: Sequence[Any]) -> tuple[datetime, int]:
    at, number = place
    return Notification._meta.get_field("created_at").to_python(at), int(number)
