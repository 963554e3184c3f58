"""An extension gives one player more time if the others agree."""

from datetime import UTC, datetime, timedelta

import pytest

from clock import proposals
from clock.models import ProposalKind, ProposalStatus
from clock.sweep import sweep
from core.refusals import Refused
from games.models.pace import Pace
from games.selectors import lists
from games.selectors.loading import load_match
from notifications.models import Notification, NotificationKind
from tests.clock.voting import again, names, propose, refused, told, vote
from tests.games.builders import running_match, say, sitting
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


def test_more_than_half_of_the_others_must_agree(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    assert vote(table, 1, proposal).status == ProposalStatus.OPEN
    assert again(table).seats[0].deadline == MONDAY_NOON + DAY
    assert vote(table, 2, proposal).status == ProposalStatus.AGREED
    assert [seat.deadline for seat in again(table).seats] == [MONDAY_NOON + 2 * DAY, *[MONDAY_NOON + DAY] * 3]


def test_the_other_players_are_asked_to_vote_and_everyone_is_notified_of_the_result(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    assert told(proposal) == [(name, "open") for name in names(table, 1, 2, 3)]
    for seat in (1, 2):
        vote(table, seat, proposal)
    assert [row for row in told(proposal) if row[1] == "agreed"] == [
        (name, "agreed") for name in names(table, 0, 1, 2, 3)
    ]


def test_the_player_who_gets_the_time_cannot_vote(table):
    proposal = propose(table, 1, ProposalKind.EXTENSION, seat=0, time=DAY)
    assert proposal.status == ProposalStatus.OPEN
    assert refused(vote, table, 0, proposal) == (403, "no_vote")


def test_votes_are_awaited_only_from_players_who_can_vote_and_only_until_the_turn_is_over(table):
    proposal = propose(table, 1, ProposalKind.EXTENSION, seat=0, time=DAY)

    def waited_for():
        seats = load_match(table.match.id).seats
        mine = [lists.mine(sitting(seat)) for seat in seats]
        return [sum(proposals.waiting_for_vote(rows).values()) for rows in mine]

    assert waited_for() == [0, 0, 1, 1]
    vote(table, 2, proposal, agreed=False)
    assert waited_for() == [0, 0, 0, 1]
    say(table, 0, "name 2")
    assert waited_for() == [0, 0, 0, 0]


def test_an_extension_is_rejected_once_it_can_no_longer_pass(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    vote(table, 1, proposal, agreed=False)
    assert vote(table, 2, proposal, agreed=False).status == ProposalStatus.REJECTED
    assert refused(vote, table, 3, proposal) == (409, "settled")


def test_votes_can_be_changed_until_the_proposal_is_decided(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    vote(table, 1, proposal, agreed=False)
    vote(table, 1, proposal, agreed=True)
    assert vote(table, 2, proposal).status == ProposalStatus.AGREED


def test_an_extension_after_the_time_out_is_refused_and_nobody_is_notified(table, frozen_time):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    vote(table, 1, proposal)
    frozen_time.shift(DAY)
    sweep()
    before = told(proposal)
    assert refused(vote, table, 2, proposal) == (409, "too_late")
    assert told(proposal) == before


def test_an_extension_granted_at_the_deadline_but_before_the_sweep_is_in_time(table, frozen_time):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    vote(table, 1, proposal)
    frozen_time.shift(DAY)
    vote(table, 2, proposal)
    sweep()
    assert again(table).seats[0].timeouts == 0


def test_an_extension_applies_only_to_the_turn_it_was_proposed_for(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=DAY)
    for seat in range(4):
        say(table, seat, "name 2")
    assert refused(vote, table, 1, proposal) == (409, "too_late")


def test_reminders_are_sent_again_after_an_extension(table, frozen_time):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=2 * DAY)
    frozen_time.shift(13 * HOUR)
    sweep()
    for seat in (1, 2):
        vote(table, seat, proposal)
    for at, reminders in [(35, 1), (36, 2), (58, 3)]:
        frozen_time.move_to(MONDAY_NOON + at * HOUR)
        sweep()
        assert Notification.objects.filter(kind=NotificationKind.REMINDER, seat=0, turn=1).count() == reminders


def test_extra_time_is_used_before_the_bank(frozen_time):
    table = running_match(seats=2, pace=Pace(DAY, bank=DAY))
    mover = next(seat for seat in table.seats if seat.awaited_since)
    propose(table, 1 - not_none(mover.number), ProposalKind.EXTENSION, seat=mover.number, time=DAY)
    frozen_time.shift(2 * DAY)
    say(table, mover.number, "draw")
    assert again(table).seats[mover.number].bank == DAY


@pytest.mark.parametrize("time", [None, timedelta(), timedelta(seconds=30), 8 * DAY])
def test_an_extension_is_between_a_minute_and_seven_days(table, time):
    assert refused(propose, table, 0, ProposalKind.EXTENSION, time=time) == (400, "bad_time")


@pytest.mark.parametrize(
    ("time", "why"), [(timedelta(), "of at least 1 minute."), (timedelta(days=8), "of up to 7 days.")]
)
def test_the_refusal_says_whether_the_time_is_too_short_or_too_long(table, time, why):
    with pytest.raises(Refused) as refusal:
        propose(table, 0, ProposalKind.EXTENSION, time=time)
    assert refusal.value.message.endswith(why)


def test_a_seat_can_get_an_extension_only_on_its_turn(table):
    say(table, 0, "name 2")
    assert refused(propose, table, 0, ProposalKind.EXTENSION, time=DAY) == (409, "too_late")


def test_an_unknown_seat_is_refused(table):
    assert refused(propose, table, 0, ProposalKind.EXTENSION, seat=9, time=DAY) == (400, "no_such_seat")


def test_an_extension_granted_just_after_the_deadline_counts_from_the_vote(table, frozen_time):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=timedelta(minutes=1))
    vote(table, 1, proposal)
    frozen_time.shift(DAY + timedelta(minutes=3))
    assert vote(table, 2, proposal).status == ProposalStatus.AGREED
    assert again(table).seats[0].deadline == MONDAY_NOON + DAY + timedelta(minutes=4)
    sweep()
    assert not again(table).seats[0].has_stand_in
