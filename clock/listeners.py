"""React to changes in accounts and matches."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from math import inf
from typing import Any

from django.db import transaction
from django.db.models import Min, Q
from prometheus_client.core import GaugeMetricFamily as Gauge

from accounts.announcements import CalendarChanged
from accounts.export import exports
from accounts.models import User
from clock import proposals, stand_ins, sweep
from clock.models import Heartbeat, Proposal
from core.announcements import listens_to
from core.metrics import age, backlog
from games.models import Seat
from games.services import departures
from games.services.announcements import PlayerLeft


@listens_to(CalendarChanged)
def recount_deadlines(changed: CalendarChanged) -> None:
    """Recompute deadlines after the commit, because matches must be locked before users.

    If the process dies before that, the sweep recomputes a deadline before acting on it.
    """
    transaction.on_commit(partial(sweep.recount_all, changed.user.pk, changed.zone_before))


@listens_to(PlayerLeft)
def give_seat_to_a_stand_in(left: PlayerLeft) -> None:
    """Give the seat to a stand-in, and decide proposals that lacked only this player's vote."""
    stand_ins.vacate(left.loaded, left.seat, left.at)
    left.loaded.save_seats()
    proposals.reconsider(left.loaded, left.at)


@departures.involves
def is_offered_a_seat(user: User) -> Q:
    return Q(proposals__newcomer=user)


@exports("proposals")
def exported_proposals(user: User) -> list[dict[str, Any]]:
    made = Proposal.objects.filter(made_by=user).order_by("id")
    return [
        dict(row) for row in made.values("match", "kind", "seat", "time", "newcomer__username", "made_at", "status")
    ]


@backlog
def sweeping(now: datetime) -> Iterator[Gauge]:
    oldest = Seat.objects.filter(wake_at__lte=now).aggregate(oldest=Min("wake_at"))["oldest"]
    last = Heartbeat.objects.aggregate(last=Min("at"))["last"]
    yield Gauge(
        "turnpost_sweep_lag_seconds",
        "How long the oldest due seat has been waiting for the sweep.",
        value=age(oldest, now),
    )
    yield Gauge("turnpost_sweep_age_seconds", "Time since the last sweep.", value=age(last, now) if last else inf)
