"""Write, number, read and delete stream events.

Transactions don't commit in the order in which they insert rows, so a reader that remembers the last ID would skip rows
that commit late. Committed events therefore get their numbers in a second step, one caller at a time. A number that a
reader has seen is final, and later events always have higher numbers.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery

from accounts.export import exports
from accounts.models import User
from core import sql
from core.housekeeping import hourly
from stream.models import LastPosition, StreamEvent
from stream.wakeup import wake_streams

KEPT = timedelta(days=7)
"""How long events are kept. Each user's latest event is kept forever, so that the numbers continue."""
BATCH = 200
MOST_DELETED = 5000
THE_ONLY_ONE = 1


def add(events: Sequence[StreamEvent]) -> None:
    if events:
        sql.run([sql.insert(announced(events))])


def announced(events: Sequence[StreamEvent]) -> Sequence[StreamEvent]:
    """Prepare rows that the caller inserts, and wake the streams after the commit."""
    if events:
        transaction.on_commit(wake_streams)
    return events


def number_new() -> None:
    """Number all events that have been committed."""
    while number_batch() == BATCH:
        pass


def number_batch() -> int:
    unnumbered = StreamEvent.objects.filter(position=None).order_by("id")
    if not unnumbered.exists():
        return 0
    with transaction.atomic():
        last, _ = LastPosition.objects.select_for_update().get_or_create(pk=THE_ONLY_ONE)
        events = list(unnumbered[:BATCH])
        numbers = last_numbers({event.user_id for event in events})
        for event in events:
            last.position += 1
            numbers[event.user_id] += 1
            event.position, event.number = last.position, numbers[event.user_id]
        numbered = [sql.update(event, ["position", "number"]) for event in events]
        sql.run([*numbered, sql.update(last, ["position"])])
    return len(events)


def last_numbers(users: set[int]) -> dict[int, int]:
    latest = StreamEvent.objects.filter(user=OuterRef("pk"), number__isnull=False).order_by("-number")
    found = User.objects.filter(pk__in=users).annotate(last=Subquery(latest.values("number")[:1]))
    return {user: last or 0 for user, last in found.values_list("pk", "last")}


def last_event(user_id: int) -> StreamEvent | None:
    return StreamEvent.objects.filter(user=user_id, number__isnull=False).order_by("-number").first()


def events_after(user_id: int, number: int, most: int = BATCH) -> list[StreamEvent]:
    """Return a user's next events."""
    return list(StreamEvent.objects.filter(user=user_id, number__gt=number).order_by("number")[:most])


def last_position() -> int:
    return LastPosition.objects.filter(pk=THE_ONLY_ONE).values_list("position", flat=True).first() or 0


def events_of_all_after(position: int, most: int = BATCH) -> list[StreamEvent]:
    return list(StreamEvent.objects.filter(position__gt=position).order_by("position")[:most])


@exports("stream")
def exported(user: User) -> list[dict[str, Any]]:
    events = StreamEvent.objects.filter(user=user).order_by("id")
    return [dict(row) for row in events.values("kind", "match", "turn", "data", "happened_at")]


@hourly
def forget_old(now: datetime) -> int:
    """Delete old events after numbering all of them.

    If an event were deleted before it got a number, readers would not notice that they had missed it.
    """
    number_new()
    newer = StreamEvent.objects.filter(user=OuterRef("user"), number__gt=OuterRef("number"))
    old = StreamEvent.objects.filter(Exists(newer), happened_at__lt=now - KEPT).order_by("happened_at")
    deleted = 0
    while batch := list(old.values_list("pk", flat=True)[:MOST_DELETED]):
        deleted += StreamEvent.objects.filter(pk__in=batch).delete()[0]
    return deleted
