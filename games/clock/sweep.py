"""What the clock does by itself: now and then it looks for seats that are due, reminds them, or ends their wait.

What is due is decided under the lock of the match: a move, an extension or another sweep may have come first.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games import notices
from games.clock import count, heartbeat, stand_ins
from games.clock.timeouts import any_late, is_late, time_out
from games.mail import outbox
from games.models import Notice, Phase, Seat
from games.models.notice import NoticeKind
from games.table import Table, lay_table, lay_tables, save_seats

BATCH = 100
"""So many matches are locked at once to remind their players; a time-out has a transaction of its own."""
logger = logging.getLogger(__name__)


def sweep() -> int:
    """Looks at every match with a seat that is due. Returns how many; one that fails does not hold up the others."""
    woken: set[str] = set()
    for batch in due_batches():
        fresh = [match_id for match_id in dict.fromkeys(batch) if match_id not in woken]
        look_at(fresh)
        woken.update(fresh)
    return len(woken)


def due_batches() -> Iterator[list[str]]:
    """Longest due first, along the index; each seat once, also when looking at it leaves it due."""
    ahead = Seat.objects.order_by("wake_at", "id")
    while True:
        now = timezone.now()
        heartbeat.keep_alive(now)
        batch = list(ahead.filter(wake_at__lte=now).values_list("match_id", "wake_at", "id")[:BATCH])
        yield [match_id for match_id, _, _ in batch]
        if len(batch) < BATCH:
            return
        _, wake_at, seat_id = batch[-1]
        later = Seat.objects.filter(wake_at__gte=wake_at).exclude(wake_at=wake_at, id__lte=seat_id)
        ahead = later.order_by("wake_at", "id")


def look_at(match_ids: Sequence[str]) -> None:
    try:
        late = remind(match_ids)
    except Exception:
        logger.exception("The clock could not remind in all of %s; it looks at each alone.", ", ".join(match_ids))
        late = match_ids
    for match_id in late:
        wake_safely(match_id)


@transaction.atomic
def remind(match_ids: Sequence[str]) -> Sequence[str]:
    """Reminds all who are to be reminded. Returns the matches in which a move is to be made."""
    tables, now = lay_tables(match_ids, lock=True), timezone.now()
    outbox.owe([notice for table in tables for notice in reminders(table, now)])
    save_seats(tables)
    return [table.match.id for table in tables if stand_ins.awaited_stand_in(table) or any_late(table, now)]


def wake_safely(match_id: str) -> None:
    try:
        wake(match_id)
    except Exception:
        logger.exception("The clock could not wake match %s.", match_id)


@transaction.atomic
def wake(match_id: str) -> None:
    """Does all that is due in one match."""
    table, now = lay_table(match_id, lock=True), timezone.now()
    if table.match.phase == Phase.RUNNING:
        outbox.owe(reminders(table, now))
        table.save_seats()
        time_out(table, now)


def reminders(table: Table, now: datetime) -> list[Notice]:
    due = [seat for seat in table.seats if seat.wake_at and seat.wake_at <= now]
    return [notice for seat in due if look_again(table, seat, now) for notice in reminder(table, seat, now)]


def look_again(table: Table, seat: Seat, now: datetime) -> bool:
    """Works the deadline out anew, for the calendar may have changed. Whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    count.recount(table.match, seat, now)
    remind = not is_late(seat, now) and any(woken_for <= mark <= now for mark in count.marks(table.match, seat))
    seat.reminders += remind
    return remind


def reminder(table: Table, seat: Seat, now: datetime) -> list[Notice]:
    return notices.to_seats(table, [seat], NoticeKind.REMINDER, now, occasion=seat.reminders)


def recount_all(user_id: int) -> None:
    """A player's calendar has changed, and with it all deadlines that run for them."""
    running = Seat.objects.filter(user=user_id, counted_from__isnull=False)
    for match_id in running.values_list("match_id", flat=True):
        recount_one(match_id, user_id)


@transaction.atomic
def recount_one(match_id: str, user_id: int) -> None:
    table, now = lay_table(match_id, lock=True), timezone.now()
    if seat := table.seat_of(user_id):
        count.recount(table.match, seat, now)
    table.save_seats()
