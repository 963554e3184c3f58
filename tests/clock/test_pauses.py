"""A pause that all have agreed on."""

from datetime import UTC, datetime, timedelta

import pytest

from clock.models import ProposalKind, ProposalStatus
from clock.sweep import sweep
from games.models.pace import Pace
from notifications.models import Notification, NotificationKind
from tests.clock.deciding import again, mail_to, propose, refused, vote
from tests.games.builders import running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


@pytest.fixture
def table(hush):
    return running_match("hush", 4, pace=Pace(DAY, patience=1), options={"rounds": 9}, is_private=True)


@pytest.fixture
def paused(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=10 * DAY)
    for seat in (1, 2, 3):
        proposal = vote(table, seat, proposal)
    assert proposal.status == ProposalStatus.AGREED
    return table


def test_it_takes_all_players(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=10 * DAY)
    for seat in (1, 2):
        assert vote(table, seat, proposal).status == ProposalStatus.OPEN
    assert vote(table, 3, proposal, agreed=False).status == ProposalStatus.REJECTED
    assert again(table).seats[0].deadline == MONDAY_NOON + DAY


def test_no_time_counts_in_it(paused):
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 11 * DAY}


def test_who_is_asked_during_it_has_all_the_time_after_it(paused, wall):
    wall.shift(2 * DAY)
    for seat in range(4):
        say(paused, seat, "name 2")
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 11 * DAY}


def test_nobody_is_reminded_or_late_during_it(paused, wall):
    wall.shift(10 * DAY)
    sweep()
    assert not Notification.objects.filter(
        kind__in=[NotificationKind.REMINDER, NotificationKind.DEADLINE_PASSED]
    ).exists()


def test_all_together_may_end_it_early(paused, wall):
    wall.shift(2 * DAY)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=timedelta())
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 3 * DAY}


def test_the_mail_says_until_when_it_lasts_and_when_it_was_ended_that_it_is_over(paused, wall):
    reader = sitting(paused.seats[1])
    assert "The players agreed: clocks are stopped until Thursday 12 June" in mail_to(reader, NotificationKind.PROPOSAL)
    wall.shift(2 * DAY)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=timedelta())
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    told = mail_to(reader, NotificationKind.PROPOSAL)
    assert "ending the pause." in told
    assert "The players agreed: the pause is over and clocks are running again." in told
    assert "clocks are stopped" not in told


def test_a_second_pause_does_not_make_the_first_forgotten(paused, wall):
    wall.shift(10 * DAY + 6 * HOUR)
    proposal = propose(paused, 0, ProposalKind.PAUSE, time=DAY)
    for seat in (1, 2, 3):
        vote(paused, seat, proposal)
    assert {seat.deadline for seat in again(paused).seats} == {MONDAY_NOON + 12 * DAY}


def test_without_a_pause_there_is_none_to_end(table):
    assert refused(propose, table, 0, ProposalKind.PAUSE, time=timedelta()) == (409, "not_paused")


def test_players_who_are_away_for_long_are_not_asked(table, wall):
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    wall.shift(DAY)
    sweep()
    proposal = propose(table, 1, ProposalKind.PAUSE, time=DAY)
    for seat in (2, 3):
        proposal = vote(table, seat, proposal)
    assert proposal.status == ProposalStatus.AGREED


def test_a_reminder_that_was_due_when_it_began_is_not_lost(table, wall):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=DAY)
    for seat in (1, 2):
        vote(table, seat, proposal)
    wall.shift(13 * HOUR)
    vote(table, 3, proposal)
    assert Notification.objects.filter(kind=NotificationKind.REMINDER).count() == 4
    sweep()
    assert Notification.objects.filter(kind=NotificationKind.REMINDER).count() == 4
