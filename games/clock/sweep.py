"""What the clock does by itself: now and then it looks for seats that are due, reminds them, or ends their wait."""

import logging
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games import notices
from games.clock import count, heartbeat, stand_ins
from games.mail import outbox
from games.models import Notice, Phase, Seat
from games.models.notice import NoticeKind
from games.table import Table, lay_table

BATCH = 500
logger = logging.getLogger(__name__)


def sweep() -> int:
    """Looks at every match with a seat that is due. Returns how many; one that fails does not hold up the others."""
    woken: set[str] = set()
    for match_id in due_matches():
        if match_id not in woken:
            wake_safely(match_id)
            woken.add(match_id)
    return len(woken)


def due_matches() -> Iterator[str]:
    """Longest due first, in batches along the index; each seat once, also when looking at it leaves it due."""
    after = Q()
    while True:
        now = timezone.now()
        heartbeat.keep_alive(now)
        due = Seat.objects.filter(after, wake_at__lte=now).order_by("wake_at", "id")
        batch = list(due.values_list("match_id", "wake_at", "id")[:BATCH])
        yield from (match_id for match_id, _, _ in batch)
        if len(batch) < BATCH:
            return
        _, wake_at, seat_id = batch[-1]
        after = Q(wake_at__gt=wake_at) | Q(wake_at=wake_at, id__gt=seat_id)


def wake_safely(match_id: str) -> None:
    try:
        wake(match_id)
    except Exception:
        logger.exception("The clock could not wake match %s.", match_id)


@transaction.atomic
def wake(match_id: str) -> None:
    """Decides under the match's lock what is due: a move, an extension or another sweep may have come first."""
    table, now = lay_table(match_id, lock=True), timezone.now()
    if table.match.phase != Phase.RUNNING:
        return
    due = [seat for seat in table.seats if seat.wake_at and seat.wake_at <= now]
    reminded = [seat for seat in due if look_again(table, seat, now)]
    outbox.owe([notice for seat in reminded for notice in reminder(table, seat, now)])
    table.save_seats()
    time_out(table, due, now)


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


def look_again(table: Table, seat: Seat, now: datetime) -> bool:
    """Works the deadline out anew, for the calendar may have changed. Whether the player is to be reminded."""
    woken_for = seat.wake_at or now
    count.recount(table.match, seat, now)
    remind = not is_late(seat, now) and any(woken_for <= mark <= now for mark in count.marks(table.match, seat))
    seat.reminders += remind
    return remind


def is_late(seat: Seat, now: datetime) -> bool:
    return seat.deadline is not None and seat.deadline <= now


def reminder(table: Table, seat: Seat, now: datetime) -> list[Notice]:
    return notices.to_seats(table, [seat], NoticeKind.REMINDER, now, occasion=seat.reminders)


def time_out(table: Table, due: list[Seat], now: datetime) -> None:
    """Harmless moves for all who are late, and everybody is told."""
    turn, late = table.match.turn, []
    for seat in due:
        if is_late(seat, now) and not seat.has_stand_in:
            late.append(seat)
            miss_turn(table, seat, now)
    stand_ins.go_on(table, now)
    if late:
        outbox.owe(deadline_notices(table, late, turn, now))


def miss_turn(table: Table, seat: Seat, now: datetime) -> None:
    seat.timeouts += 1
    if seat.timeouts >= table.match.patience:
        seat.stand_in_since = now
    else:
        finish_turn(table, seat, now)


def finish_turn(table: Table, seat: Seat, now: datetime) -> None:
    """A turn of several steps is played to its end: nobody waits for the second half of a move that came too late."""
    for _ in range(stand_ins.MOST_MOVES_AT_ONCE):
        entry = stand_ins.move_for(table, seat, now)
        if entry.move.is_sealed or entry.awaiting != {seat.number}:
            return


def deadline_notices(table: Table, late: list[Seat], turn: int, now: datetime) -> list[Notice]:
    replaced = [seat.number for seat in late if seat.has_stand_in]
    return notices.to_seats(
        table,
        table.seats,
        NoticeKind.DEADLINE_PASSED,
        now,
        turn=turn,
        occasion=late[0].drawn + 1,
        data={"late": [seat.number for seat in late], "stand_ins": replaced},
    )
