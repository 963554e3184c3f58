"""If the clock and players act at the same time, the first one to get the lock wins."""

from datetime import timedelta
from functools import partial
from threading import Barrier
from unittest.mock import patch

import pytest
from django.utils import timezone

from clock import downtime, proposals
from clock import sweep as sweeping
from clock.models import Downtime, Proposal, ProposalKind, ProposalStatus
from clock.sweep import wake
from games.models import Move, Seat
from games.models.pace import Pace
from games.selectors import access
from games.selectors.loading import load_match
from games.services.audit import first_difference
from notifications.models import Notification, NotificationKind
from tests.clock.voting import propose
from tests.games.builders import awaited, running_match, send, sitting
from tests.games.racing import all_at_once, met_at
from tests.not_none import not_none

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
ROUNDS = 6


def due_match(seats=3):
    """Create a match in which the player has just run out of time."""
    table = running_match(seats=seats, pace=Pace(DAY))
    now = timezone.now()
    asked = Seat.objects.filter(match=table.match, awaited_since__isnull=False)
    asked.update(counted_from=now - DAY, deadline=now, wake_at=now)
    return load_match(table.match.id)


def own_move(table):
    mover = awaited(table)
    return partial(send, table.match.id, sitting(mover), "draw", table.match.turn)


def deadlines_passed(table):
    return Notification.objects.filter(match=table.match, kind=NotificationKind.DEADLINE_PASSED).count()


def test_a_move_and_a_time_out_on_the_same_turn_never_both_take_effect():
    for _ in range(ROUNDS):
        table = due_match()
        answer, _ = all_at_once([own_move(table), partial(wake, table.match.id)])
        sources = set(Move.objects.filter(match=table.match).values_list("source", flat=True))
        assert (answer.status, sources, deadlines_passed(table)) in [(200, {"api"}, 0), (409, {"time_out"}, 3)]
        assert first_difference(load_match(table.match.id)) is None


def test_only_one_of_many_concurrent_sweeps_makes_the_move():
    table = due_match()
    late = awaited(table).drawn
    assert all_at_once([partial(wake, table.match.id)] * 8) == [None] * 8
    assert load_match(table.match.id).seats[late].timeouts == 1
    assert deadlines_passed(table) == 3
    assert first_difference(load_match(table.match.id)) is None


def extension(table):
    """Create an extension that is one vote short, and a function that casts this vote."""
    mover = awaited(table)
    proposal = propose(table, mover.number, ProposalKind.EXTENSION, time=DAY)
    other = sitting(table.seats[1 - not_none(mover.number)])
    return proposal, partial(proposals.vote, table.match.id, other, proposal.pk, agreed=True)


def granted(proposal):
    told = Notification.objects.filter(
        kind=NotificationKind.PROPOSAL, data__proposal=proposal.pk, data__status="agreed"
    )
    return Proposal.objects.get(pk=proposal.pk).status == ProposalStatus.AGREED, told.count()


def test_nobody_is_notified_of_an_extension_that_did_not_happen():
    for _ in range(ROUNDS):
        table = due_match(seats=2)
        proposal, last_vote = extension(table)
        all_at_once([last_vote, partial(wake, table.match.id)])
        timed_out = Move.objects.filter(match=table.match, source="time_out").exists()
        assert (timed_out, granted(proposal)) in [(False, (True, 2)), (True, (False, 0))]


def test_control_without_the_lock_an_extension_is_announced_even_though_the_player_timed_out(no_lock):
    table = due_match(seats=2)
    proposal, last_vote = extension(table)
    lay = met_at(Barrier(2), load_match)
    with patch.object(access, "load_match", lay), patch.object(sweeping, "load_match", lay):
        results = all_at_once([last_vote, partial(wake, table.match.id)])
    timed_out = Move.objects.filter(match=table.match, source="time_out").exists()
    clean = (timed_out, granted(proposal)) in [(False, (True, 2)), (True, (False, 0))]
    assert not clean or any(isinstance(result, Exception) for result in results)


def test_concurrent_workers_credit_downtime_only_once():
    table = running_match("coloretto", pace=Pace(DAY))
    now = timezone.now()
    Downtime.objects.create(began_at=now - DAY, ended_at=now)
    asked = Seat.objects.filter(match=table.match, awaited_since__isnull=False)
    asked.update(counted_from=now - 1.5 * DAY)

    def work():
        while downtime.credit_batch(now):
            pass

    assert all_at_once([work] * 4) == [None] * 4
    assert awaited(load_match(table.match.id)).deadline == now + DAY / 2
    assert Downtime.objects.get().is_credited
