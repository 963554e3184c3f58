"""Find due seats periodically, and remind their players or time them out.

Each match is locked before the decision, because a move, an extension or another sweep may have come first. Matches
that are already locked are left for the next sweep.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clock import deadlines, downtime, stand_ins
from clock.deadlines import announce_reminders
from clock.timeouts import any_late, time_out
from core.logs import about_match
from core.metrics import SWEEPS
from games.models import Phase, Seat
from games.selectors.loading import load_match, load_matches, save_seats
from games.services import lobby

BETWEEN_BEATS = timedelta(seconds=5)
"""How often a long sweep shows that the clock is running."""
BATCH = 100
"""How many matches are locked at once for reminders. Each time-out has its own transaction."""

logger = logging.getLogger(__name__)


def sweep() -> int:
    """Handle every match with a due seat, and return the number of matches.

    An error in one match does not block the others.
    """
    lobby.begin_overdue(timezone.now())
    woken: set[str] = set()
    for batch in due_batches():
        fresh = [match_id for match_id in dict.fromkeys(batch) if match_id not in woken]
        look_at(fresh)
        woken.update(fresh)
    return len(woken)


def due_batches() -> Iterator[list[str]]:
    """Yield the matches of due seats in batches, starting with the longest overdue.

    A seat that stays due is returned only once.
    """
    last, beat = None, None
    while True:
        now = timezone.now()
        if beat is None or now - beat >= BETWEEN_BEATS:
            downtime.keep_alive(now)
            downtime.repair_if_certain(now)
            beat = now
        batch = list(due(now, last))
        yield [seat.match_id for seat in batch]
        if len(batch) < BATCH:
            return
        last = batch[-1]


def due(now: datetime, after: Seat | None = None) -> QuerySet[Seat]:
    ahead = Seat.objects.filter(wake_at__lte=now)
    if after:
        ahead = ahead.filter(wake_at__gte=after.wake_at).exclude(wake_at=after.wake_at, id__lte=after.pk)
    return ahead.only("match_id", "wake_at").order_by("wake_at", "id")[:BATCH]


def look_at(match_ids: Sequence[str]) -> None:
    try:
        late = remind(match_ids)
    except Exception:
        logger.exception(
            "Couldn't send the reminders for %s in one transaction. Trying each match separately.", ", ".join(match_ids)
        )
        late = match_ids
    for match_id in late:
        wake_safely(match_id)


@transaction.atomic
def remind(match_ids: Sequence[str]) -> Sequence[str]:
    """Remind players. Return the matches that need a time-out or a stand-in's move."""
    matches, now = load_matches(match_ids, skip_locked=True), timezone.now()
    with deadlines.facts_of(matches):
        announce_reminders(matches, now)
    save_seats(matches)
    return [loaded.match.id for loaded in matches if stand_ins.awaited_stand_in(loaded) or any_late(loaded, now)]


def wake_safely(match_id: str) -> None:
    with about_match(match_id):
        try:
            wake(match_id)
        except Exception:
            logger.exception("The sweep failed for match %s.", match_id)


@transaction.atomic
def wake(match_id: str) -> None:
    for loaded in load_matches([match_id], skip_locked=True):
        now = timezone.now()
        if loaded.match.phase == Phase.RUNNING:
            announce_reminders([loaded], now)
            loaded.save_seats()
            time_out(loaded, now)


def recount_all(user_id: int, zone_before: str) -> None:
    """Recompute a player's running deadlines after their calendar has changed."""
    running = Seat.objects.filter(user=user_id, counted_from__isnull=False)
    for match_id in running.values_list("match_id", flat=True):
        recount_one(match_id, user_id, zone_before)


@transaction.atomic
def recount_one(match_id: str, user_id: int, zone_before: str) -> None:
    """Recompute the deadline of one seat. The time used so far is counted in the previous time zone."""
    loaded, now = load_match(match_id, lock=True), timezone.now()
    announce_reminders([loaded], now)
    if seat := loaded.seat_of(user_id):
        if seat.user and seat.user.time_zone != zone_before:
            deadlines.settle(loaded.match, seat, now, zone=zone_before)
        deadlines.recount(loaded.match, seat, now)
    loaded.save_seats()


@shared_task(name="clock.sweep")
def run() -> None:
    """Handle everything that is due. Skipping a run does no harm."""
    with SWEEPS.time():
        sweep()
