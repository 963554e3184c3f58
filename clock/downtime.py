"""The service was down: nobody could move, so that time is given back to everybody whose time was running.

Every sweep leaves a heartbeat. A silence between two is written down once, and given back in batches: the place that
was reached is stored in the same transaction as the new deadlines, so that each seat gets it exactly once, even if the
service dies in between. Nobody times out before all of it is given back, and until then it counts as a rest in every
calendar, so that a move is not charged for it either.
"""

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clock import deadlines
from clock.deadlines import LONGEST_SILENCE
from clock.models import Downtime, Heartbeat
from games.models import Seat
from games.selectors.loading import LoadedMatch, load_matches, save_seats

THE_ONLY_ONE = 1
BATCH = 500

logger = logging.getLogger(__name__)


def keep_alive(now: datetime) -> None:
    """Beats also while giving back: with many matches that takes longer than a silence may last."""
    beat(now)
    while credit_batch(now):
        beat(timezone.now())


@transaction.atomic
def beat(now: datetime) -> None:
    heart, _ = Heartbeat.objects.select_for_update().get_or_create(pk=THE_ONLY_ONE, defaults={"at": now})
    if now - heart.at > LONGEST_SILENCE:
        logger.warning("The clock did not run from %s to %s.", heart.at, now)
        Downtime.objects.create(began_at=heart.at, ended_at=now)
    if now > heart.at:
        heart.at = now
        heart.save(update_fields=["at"])


@transaction.atomic
def credit_batch(now: datetime) -> bool:
    """Give the earliest downtime back to the next seats. Returns whether there was anything left to do."""
    deadlines.AllWell.at = None
    downtime = Downtime.objects.select_for_update().filter(is_credited=False).order_by("pk").first()
    if downtime is None:
        return False
    running = Seat.objects.filter(counted_from__lt=downtime.ended_at, pk__gt=downtime.credited_through)
    batch = dict(running.order_by("pk").values_list("pk", "match_id")[:BATCH])
    matches = load_matches(set(batch.values()), lock=True)
    for loaded in matches:
        credit(loaded, [seat for seat in loaded.seats if seat.pk in batch], downtime, now)
    save_seats(matches)
    downtime.credited_through = max(batch, default=downtime.credited_through)
    downtime.is_credited = not batch
    downtime.save(update_fields=["credited_through", "is_credited"])
    return True


def credit(loaded: LoadedMatch, seats: list[Seat], downtime: Downtime, now: datetime) -> None:
    """Count on from the end of the downtime, which was a rest until then."""
    for seat in seats:
        if seat.counted_from and seat.counted_from < downtime.ended_at:
            deadlines.settle(loaded.match, seat, downtime.ended_at)
            deadlines.recount(loaded.match, seat, now)
