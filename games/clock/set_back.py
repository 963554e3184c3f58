"""The machine's clock was ahead for a while and has been set back: what was noted meanwhile lies in the future.

Time would stand still for everybody until then, and notices would wait. So all of that is brought back to now, once it
is certain: where the clocks of two machines differ, the one that is ahead goes on beating there.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.clock import count
from games.clock.outages import LONGEST_SILENCE
from games.mail import outbox
from games.models import Call, Heartbeat, InboundMail, Notice, Seat
from games.models.inbound import MailVerdict
from games.models.notice import Delivery, NoticeKind
from games.table import lay_tables, save_seats

ENOUGH_LOOKS = 20
"""At a heart that stands still ahead of us: five minutes of sweeps."""
BATCH = 500
LONGEST_TO_A_DIGEST = timedelta(days=2)
logger = logging.getLogger(__name__)


class Ahead:
    """What this process has seen: the last heartbeat, where it lies ahead, and how often in a row it was the same."""

    at: datetime | None = None
    looks = 0


def is_certain(now: datetime) -> bool:
    heart = Heartbeat.objects.values_list("at", flat=True).first()
    if heart is None or heart - now <= LONGEST_SILENCE:
        Ahead.at, Ahead.looks = None, 0
        return False
    Ahead.looks = Ahead.looks + 1 if heart == Ahead.at else 1
    Ahead.at = heart
    return Ahead.looks >= ENOUGH_LOOKS


def mend(now: datetime) -> None:
    """Each step may be repeated; the heart comes last, so whatever breaks in between is done again."""
    logger.warning("The clock was set back from %s to %s; what lay ahead is brought back.", Ahead.at, now)
    while bring_back_seats(now):
        pass
    bring_back_notices(now)
    Heartbeat.objects.filter(at__gt=now).update(at=now)
    Ahead.at, Ahead.looks = None, 0


@transaction.atomic
def bring_back_seats(now: datetime) -> bool:
    """Their time goes on from now, with what was left of it. Whether there was anything left to do."""
    batch = dict(Seat.objects.filter(counted_from__gt=now).order_by("pk").values_list("pk", "match_id")[:BATCH])
    tables = lay_tables(set(batch.values()), lock=True)
    for table in tables:
        for seat in table.seats:
            if seat.counted_from and seat.counted_from > now:
                seat.counted_from = now
                count.recount(table.match, seat, now)
    save_seats(tables)
    return bool(batch)


def bring_back_notices(now: datetime) -> None:
    """Whatever is due too early is judged once more before it leaves, and waits again if it should."""
    waiting = Notice.objects.filter(delivery=Delivery.QUEUED, due_at__gt=now)
    waiting.exclude(kind=NoticeKind.DIGEST, due_at__lte=now + LONGEST_TO_A_DIGEST).update(due_at=now)
    Call.objects.filter(delivery=Delivery.QUEUED, due_at__gt=now).update(due_at=now)
    for held in (Notice, Call):
        held.objects.filter(delivery=Delivery.SENDING, due_at__gt=now + outbox.LEASE).update(due_at=now + outbox.LEASE)
    came_in = InboundMail.objects.filter(verdict=MailVerdict.WAITING, due_at__gt=now + outbox.LEASE)
    came_in.update(due_at=now + outbox.LEASE)
