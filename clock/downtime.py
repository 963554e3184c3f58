"""The service was down: nobody could act, so that time is given back to everybody whose time was running.

Every sweep leaves a heartbeat. A silence between two is written down once, and given back in batches: the place that
was reached is stored in the same transaction as the new deadlines, so that each seat gets it exactly once, whatever
breaks in between. No time is up before all of it is given back, and none is charged for it meanwhile (outages).
"""

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clock import clock_skew, deadlines
from clock.models import Downtime, Heartbeat
from clock.outages import LONGEST_SILENCE
from games.models import Seat
from games.selectors.loading import LoadedMatch, load_matches, save_seats

THE_ONLY_ONE = 1
BATCH = 500
logger = logging.getLogger(__name__)


def keep_alive(now: datetime) -> None:
    """Beats also while it gives back: among many matches that takes longer than a silence may last."""
    beat(now)
    while credit_batch(now):
        beat(timezone.now())
    if clock_skew.is_certain(now):
        clock_skew.mend(now)


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
    """Gives the earliest downtime back to the next seats. Whether there was anything left to do."""
    downtime = Downtime.objects.select_for_update().filter(is_credited=False).order_by("pk").first()
    if downtime is None:
        return False
    running = Seat.objects.filter(counted_from__lt=downtime.ended_at, pk__gt=downtime.credited_through)
    batch = dict(running.order_by("pk").values_list("pk", "match_id")[:BATCH])
    tables = load_matches(set(batch.values()), lock=True)
    for table in tables:
        credit(table, [seat for seat in table.seats if seat.pk in batch], downtime, now)
    save_seats(tables)
    downtime.credited_through = max(batch, default=downtime.credited_through)
    downtime.is_credited = not batch
    downtime.save(update_fields=["credited_through", "is_credited"])
    return True


def credit(table: LoadedMatch, seats: list[Seat], downtime: Downtime, now: datetime) -> None:
    """Counts on from the end of the downtime, which was a rest until then."""
    for seat in seats:
        if seat.counted_from and seat.counted_from < downtime.ended_at:
            deadlines.settle(table.match, seat, downtime.ended_at)
            deadlines.recount(table.match, seat, now)
