"""Make sure that no player loses time because the service was down or its clock was wrong.

Every sweep records a heartbeat. A gap between two heartbeats is recorded as downtime and credited to seats in batches.
Progress is saved in the same transaction as the new deadlines, so each seat is credited exactly once, even after a
crash. Nobody times out before all seats are credited. Until then, downtime counts as a rest, so it does not reduce
anyone's time for a move.

If the system clock was ahead and has been set back, times recorded in the meantime lie in the future. They are moved
back to now once it is certain that the clock was wrong. If the clocks of two machines merely differ, nothing is moved,
because the machine that is ahead keeps sending heartbeats.
"""

import logging
from datetime import datetime
from time import monotonic

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clock import deadlines
from clock.announcements import ClockSetBack
from clock.deadlines import LONGEST_GAP
from clock.models import Downtime, Heartbeat
from core import jobs
from core.announcements import announce
from games.models import Seat
from games.selectors.loading import LoadedMatch, load_matches, save_seats

THE_ONLY_ONE = 1
BATCH = 500

logger = logging.getLogger(__name__)


def keep_alive(now: datetime) -> None:
    """Record a heartbeat now and after each batch, because crediting many matches can take longer than
    `LONGEST_GAP`."""
    beat(now)
    while credit_batch(now):
        beat(timezone.now())


@transaction.atomic
def beat(now: datetime) -> None:
    heart, _ = Heartbeat.objects.select_for_update().get_or_create(pk=THE_ONLY_ONE, defaults={"at": now})
    if now - heart.at > LONGEST_GAP:
        logger.warning("The clock didn't run from %s to %s.", heart.at, now)
        Downtime.objects.create(began_at=heart.at, ended_at=now)
    if now > heart.at:
        heart.at = now
        heart.save(update_fields=["at"])


@transaction.atomic
def credit_batch(now: datetime) -> bool:
    """Credit the earliest downtime to the next seats, and return whether there was anything to do."""
    downtime = Downtime.objects.select_for_update().filter(is_credited=False).order_by("pk").first()
    if downtime is None:
        return False
    running = Seat.objects.filter(counted_from__lt=downtime.ended_at, pk__gt=downtime.credited_through)
    batch = dict(running.order_by("pk").values_list("pk", "match_id")[:BATCH])
    matches = load_matches(set(batch.values()), lock=True)
    with deadlines.facts_of(matches):
        for loaded in matches:
            credit(loaded, [seat for seat in loaded.seats if seat.pk in batch], downtime, now)
    save_seats(matches)
    downtime.credited_through = max(batch, default=downtime.credited_through)
    downtime.is_credited = not batch
    downtime.save(update_fields=["credited_through", "is_credited"])
    return True


def credit(loaded: LoadedMatch, seats: list[Seat], downtime: Downtime, now: datetime) -> None:
    """Restart the players' clocks at the end of the downtime, so that the downtime costs them nothing."""
    for seat in seats:
        if seat.counted_from and seat.counted_from < downtime.ended_at:
            deadlines.settle(loaded.match, seat, downtime.ended_at)
            deadlines.recount(loaded.match, seat, now)


CERTAIN_AFTER = 300
"""How many seconds a heartbeat in the future must stay unchanged before it is considered wrong."""


class Ahead:
    """A heartbeat in the future, and the monotonic time at which it was first seen."""

    at: datetime | None = None
    since = 0.0


def repair_if_certain(now: datetime) -> None:
    if is_certain(now):
        repair(now)


def is_certain(now: datetime) -> bool:
    heart = Heartbeat.objects.values_list("at", flat=True).first()
    if heart is None or heart - now <= LONGEST_GAP:
        Ahead.at = None
        return False
    if heart != Ahead.at:
        Ahead.at, Ahead.since = heart, monotonic()
    return monotonic() - Ahead.since >= CERTAIN_AFTER


def repair(now: datetime) -> None:
    """Move all future times back.

    Every step can be repeated. The heartbeat is moved last, so an interrupted run starts over.
    """
    logger.warning("The clock was set back from %s to %s; moving future times back.", Ahead.at, now)
    while bring_back_seats(now):
        pass
    jobs.reset_future_jobs(now)
    announce(ClockSetBack(now))
    Heartbeat.objects.filter(at__gt=now).update(at=now)
    Ahead.at = None


def bring_back(loaded: LoadedMatch, now: datetime) -> None:
    for seat in loaded.seats:
        if seat.counted_from and seat.counted_from > now:
            seat.counted_from = now
            deadlines.recount(loaded.match, seat, now)
        elif seat.wake_at and not seat.counted_from:
            seat.deadline = seat.wake_at = min(seat.wake_at, now)


@transaction.atomic
def bring_back_seats(now: datetime) -> bool:
    """Continue clocks from now with the time that was left, and make stand-ins' seats due.

    Return whether there was anything to do.
    """
    stand_ins = Q(counted_from=None, wake_at__gt=now)
    ahead = Seat.objects.filter(Q(counted_from__gt=now) | stand_ins).order_by("pk")
    batch = dict(ahead.values_list("pk", "match_id")[:BATCH])
    matches = load_matches(set(batch.values()), lock=True)
    with deadlines.facts_of(matches):
        for loaded in matches:
            bring_back(loaded, now)
    save_seats(matches)
    return bool(batch)
