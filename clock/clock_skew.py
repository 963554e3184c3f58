"""The machine's clock was ahead for a while and has been set back: what was noted meanwhile lies in the future.

Time would stand still for everybody until then, and notifications would wait. So all of that is brought back to now, once it
is certain: where the clocks of two machines differ, the one that is ahead goes on beating there.
"""

import logging
from datetime import datetime
from time import monotonic

from django.db import transaction
from django.db.models import Q

from clock import deadlines
from clock.announcements import ClockSetBack
from clock.deadlines import LONGEST_SILENCE
from clock.models import Heartbeat
from core import jobs
from core.announcements import announce
from games.models import Seat
from games.selectors.loading import load_matches, save_seats

CERTAIN_AFTER = 300
"""Seconds for which the heart stands still ahead of us."""
BATCH = 500
logger = logging.getLogger(__name__)


class Ahead:
    """What this process has seen: the last heartbeat, where it lies ahead, and since when it has been the same, by a
    clock that nobody sets."""

    at: datetime | None = None
    since = 0.0


def mend_if_certain(now: datetime) -> None:
    if is_certain(now):
        mend(now)


def is_certain(now: datetime) -> bool:
    heart = Heartbeat.objects.values_list("at", flat=True).first()
    if heart is None or heart - now <= LONGEST_SILENCE:
        Ahead.at = None
        return False
    if heart != Ahead.at:
        Ahead.at, Ahead.since = heart, monotonic()
    return monotonic() - Ahead.since >= CERTAIN_AFTER


def mend(now: datetime) -> None:
    """Each step may be repeated; the heart comes last, so whatever breaks in between is done again."""
    logger.warning("The clock was set back from %s to %s; what lay ahead is brought back.", Ahead.at, now)
    while bring_back_seats(now):
        pass
    jobs.bring_back(now)
    announce(ClockSetBack(now))
    Heartbeat.objects.filter(at__gt=now).update(at=now)
    Ahead.at = None


@transaction.atomic
def bring_back_seats(now: datetime) -> bool:
    """Their time goes on from now, with what was left of it, and those of stand-ins are due. Whether there was anything
    left to do."""
    stand_ins = Q(counted_from=None, wake_at__gt=now)
    ahead = Seat.objects.filter(Q(counted_from__gt=now) | stand_ins).order_by("pk")
    batch = dict(ahead.values_list("pk", "match_id")[:BATCH])
    tables = load_matches(set(batch.values()), lock=True)
    for table in tables:
        for seat in table.seats:
            if seat.counted_from and seat.counted_from > now:
                seat.counted_from = now
                deadlines.recount(table.match, seat, now)
            elif seat.wake_at and not seat.counted_from:
                seat.deadline = seat.wake_at = min(seat.wake_at, now)
    save_seats(tables)
    return bool(batch)
