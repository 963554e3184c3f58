"""A pause stops all clocks if every player agrees."""

from datetime import UTC, datetime, timedelta

import pytest

from clock.models import ProposalKind, ProposalStatus
from clock.sweep import sweep
from notifications.models import Notification, NotificationKind
from tests.clock.voting import again, mail_to, propose, refused, vote
from tests.games.builders import say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


@pytest.fixture
def paused(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=10 * DAY)
    for seat in (1, 2, 3):
        proposal = vote(table, seat, proposal)
    assert proposal.status == ProposalStatus.AGREED
    return table


def test_every_player_must_agree_to_a_pause(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=10 * DAY)
    for seat in (1, 2):
        assert vote(table, seat, proposal).status == ProposalStatus.OPEN
    assert vote(table, 3, proposal, agreed=False).status == ProposalStatus.REJECTED
    assert again(table).seats[0].deadline == MONDAY_NOON + DAY


def test_no_time_counts_during_a_pause(paused):
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 11 * DAY}


def test_a_turn_that_begins_during_a_pause_has_its_full_time_afterwards(paused, frozen_time):
    frozen_time.shift(2 * DAY)
    for seat in range(4):
        say(paused, seat, "name 2")
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 11 * DAY}


def test_nobody_is_reminded_or_timed_out_during_a_pause(paused, frozen_time):
    frozen_time.shift(10 * DAY)
    sweep()
    assert not Notification.objects.filter(
        kind__in=[NotificationKind.REMINDER, NotificationKind.DEADLINE_PASSED]
    ).exists()


def test_the_players_can_end_a_pause_early(paused, frozen_time):
    frozen_time.shift(2 * DAY)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=timedelta())
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 3 * DAY}


def test_the_email_says_when_the_pause_ends_or_that_it_has_ended(paused, frozen_time):
    reader = sitting(paused.seats[1])
    assert "The players agreed: clocks are stopped until Thursday 12 June" in mail_to(reader, NotificationKind.PROPOSAL)
    frozen_time.shift(2 * DAY)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=timedelta())
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    told = mail_to(reader, NotificationKind.PROPOSAL)
    assert "ending the pause." in told
    assert "The players agreed: the pause is over and clocks are running again." in told
    assert "clocks are stopped" not in told


def test_a_second_pause_does_not_undo_the_first(paused, frozen_time):
    frozen_time.shift(10 * DAY + 6 * HOUR)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=DAY)
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 12 * DAY}


def test_ending_a_pause_is_refused_if_there_is_none(table):
    assert refused(propose, table, 0, ProposalKind.PAUSE, time=timedelta()) == (409, "not_paused")


def test_a_pause_does_not_need_the_votes_of_players_with_a_stand_in(table, frozen_time):
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    frozen_time.shift(DAY)
    sweep()
    proposal = propose(table, 1, ProposalKind.PAUSE, time=DAY)
    for seat in (2, 3):
        proposal = vote(table, seat, proposal)
    assert proposal.status == ProposalStatus.AGREED


def test_a_reminder_due_at_the_start_of_a_pause_is_not_lost(table, frozen_time):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=DAY)
    for seat in (1, 2):
        vote(table, seat, proposal)
    frozen_time.shift(13 * HOUR)
    vote(table, 3, proposal)
    assert Notification.objects.filter(kind=NotificationKind.REMINDER).count() == 4
    sweep()
    assert Notification.objects.filter(kind=NotificationKind.REMINDER).count() == 4
