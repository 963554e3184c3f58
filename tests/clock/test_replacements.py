"""A stand-in's seat goes back to its owner or to a new player."""

from datetime import UTC, datetime, timedelta

import pytest

from clock import proposal_rules, proposals, stand_ins
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import ProposalRequest
from clock.sweep import sweep
from core.rates import Rate
from games.models import Match
from games.selectors import access
from tests.clock.voting import again, propose, refused, told, vote
from tests.games.builders import player, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


@pytest.fixture
def left(table, frozen_time):
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    frozen_time.shift(DAY)
    sweep()
    assert again(table).seats[0].has_stand_in
    return table


@pytest.fixture
def offered(left):
    player("emil")
    proposal = propose(left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="Emil")
    return vote(left, 2, proposal)


def test_the_other_players_offer_the_seat_and_the_newcomer_accepts_it(left, offered):
    assert offered.status == ProposalStatus.AGREED
    former = sitting(left.seats[0])
    proposals.accept(left.match.id, player("emil"), offered.pk)
    seat = again(left).seats[0]
    assert sitting(seat).username == "emil"
    assert not seat.has_stand_in
    assert (former.username, "accepted") in told(offered)
    say(left, 0, "name 5")


def text_of(table, proposal):
    found = proposals.find(again(table), proposal.pk, ProposalStatus.ACCEPTED)
    return f"{proposal_rules.proposal_text(again(table), found)} {proposal_rules.status_text(again(table), found)}"


def test_a_replacement_still_shows_who_had_the_seat(left, offered):
    former, asker = sitting(left.seats[0]).name, sitting(left.seats[1]).name
    proposals.accept(left.match.id, player("emil"), offered.pk)
    proposed = f"{asker} proposed giving {former}'s seat to Emil."
    assert text_of(left, offered) == f"{proposed} Emil took the seat."


def test_a_seat_whose_former_player_is_unknown_is_described_as_the_seat_of_a_stand_in(left, offered):
    proposals.accept(left.match.id, player("emil"), offered.pk)
    Proposal.objects.update(holder=None)
    assert "giving a stand-in's seat to Emil." in text_of(left, offered)


def test_the_newcomer_gets_an_email_and_can_see_the_private_match(left, offered):
    assert ("emil", "agreed") in told(offered)
    assert access.visible_match(left.match.id, player("emil"))
    assert refused(access.visible_match, left.match.id, player("fritz")) == (404, "no_such_match")


def test_nobody_else_can_accept_the_seat(left, offered):
    outsider = player("fritz")
    assert refused(proposals.accept, left.match.id, outsider, offered.pk) == (404, "no_such_match")
    assert refused(proposals.accept, left.match.id, sitting(left.seats[1]), offered.pk) == (403, "not_yours")


@pytest.mark.parametrize("answer", [proposals.accept, proposals.decline])
@pytest.mark.parametrize("status", [*ProposalStatus])
def test_a_spectator_cannot_tell_whether_a_proposal_exists(left, offered, answer, status):
    Match.objects.update(is_private=False)
    Proposal.objects.update(status=status)
    assert refused(answer, left.match.id, player("fritz"), offered.pk) == (404, "no_such_proposal")
    assert refused(answer, left.match.id, sitting(left.seats[1]), offered.pk) == (403, "not_yours")


@pytest.mark.parametrize("status", [ProposalStatus.OPEN, ProposalStatus.REJECTED])
def test_a_newcomer_cannot_see_an_offer_that_the_players_have_not_agreed_on(left, offered, status):
    Match.objects.update(is_private=False)
    Proposal.objects.update(status=status)
    assert refused(proposals.accept, left.match.id, player("emil"), offered.pk) == (404, "no_such_proposal")


def test_the_newcomer_can_decline(left, offered):
    proposals.decline(left.match.id, player("emil"), offered.pk)
    assert again(left).seats[0].has_stand_in
    assert refused(access.visible_match, left.match.id, player("emil"))[0] == 404


def test_an_owner_who_comes_back_first_keeps_the_seat(left, offered):
    stand_ins.come_back(left.match.id, sitting(left.seats[0]))
    assert refused(proposals.accept, left.match.id, player("emil"), offered.pk) == (404, "no_such_match")
    assert again(left).seats[0].user == left.seats[0].user


def test_a_seat_whose_player_is_present_cannot_be_given_away(left):
    player("emil")
    assert refused(propose, left, 1, ProposalKind.REPLACEMENT, seat=2, newcomer="emil") == (409, "seat_is_played")


def test_a_player_in_the_match_cannot_get_a_second_seat(left):
    other = sitting(left.seats[2]).username
    assert refused(propose, left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer=other) == (409, "already_seated")


def test_an_unknown_user_cannot_be_proposed(left):
    assert refused(propose, left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="nobody") == (404, "no_such_user")


def test_a_player_who_is_offered_another_seat_still_sees_all_proposals(left, offered):
    """Players of a match cannot accept an offer, but they may have received one before they joined."""
    left.match.proposals.filter(pk=offered.pk).update(newcomer=sitting(left.seats[1]))
    propose(left, 2, ProposalKind.PAUSE, time=DAY)
    seen = proposals.seen_by(again(left), sitting(left.seats[1]))
    assert [proposal.kind for proposal in seen] == [ProposalKind.PAUSE, ProposalKind.REPLACEMENT]


def test_an_offer_gives_no_access_after_the_match_is_over(left, offered):
    for seat in (1, 2, 3):
        proposals.abandon(left.match.id, sitting(left.seats[seat]), agreed=True)
    assert refused(access.visible_match, left.match.id, player("emil")) == (404, "no_such_match")


def test_offers_are_rate_limited(left, settings):
    settings.RATES = settings.RATES | {"invited": Rate(2, 3600)}
    player("emil")
    for _ in range(2):
        propose(left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="Emil")
    request = ProposalRequest(ProposalKind.REPLACEMENT, seat=0, newcomer="emil")
    assert refused(proposals.propose, left.match.id, sitting(left.seats[1]), request) == (429, "too_many_attempts")


def test_the_seat_of_a_deleted_player_can_be_taken_over(left, offered):
    sitting(left.seats[0]).delete()
    proposals.accept(left.match.id, player("emil"), offered.pk)
    assert sitting(again(left).seats[0]).username == "emil"


def test_coming_back_returns_the_seat_to_its_owner(table, frozen_time):
    for seat in (1, 2, 3):
        say(table, seat, "name 2")
    frozen_time.shift(DAY)
    sweep()
    stand_ins.come_back(table.match.id, sitting(table.seats[0]))
    assert not again(table).seats[0].has_stand_in
    for seat in range(4):
        say(table, seat, "name 2")
    assert again(table).seats[0].deadline == MONDAY_NOON + 2 * DAY


def test_coming_back_without_a_stand_in_changes_nothing(table, frozen_time):
    frozen_time.shift(HOUR)
    stand_ins.come_back(table.match.id, sitting(table.seats[0]))
    assert again(table).seats[0].deadline == MONDAY_NOON + DAY


def test_people_who_are_not_players_cannot_come_back(table):
    assert refused(stand_ins.come_back, table.match.id, player("fritz")) == (404, "no_such_match")


class TestProposedAgain:
    """Repeating a proposal neither undoes an agreement nor resets votes."""

    def test_one_player_cannot_undo_an_agreed_offer_by_proposing_another(self, left, offered):
        player("mallory")
        rival = propose(left, 3, ProposalKind.REPLACEMENT, seat=0, newcomer="mallory")
        assert rival.status == ProposalStatus.OPEN
        proposals.accept(left.match.id, player("emil"), offered.pk)
        assert sitting(again(left).seats[0]).username == "emil"

    def test_a_second_offer_replaces_the_first_once_the_players_agree_on_it(self, left, offered):
        player("fay")
        rival = vote(left, 1, propose(left, 3, ProposalKind.REPLACEMENT, seat=0, newcomer="fay"))
        assert rival.status == ProposalStatus.AGREED
        offered.refresh_from_db()
        assert offered.status == ProposalStatus.SUPERSEDED
        assert refused(proposals.accept, left.match.id, player("emil"), offered.pk)[0] == 404

    def test_a_rival_proposal_does_not_affect_the_votes_on_an_open_one(self, left):
        player("emil"), player("fay")
        open_one = propose(left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="emil")
        propose(left, 3, ProposalKind.REPLACEMENT, seat=0, newcomer="fay")
        assert vote(left, 2, open_one).status == ProposalStatus.AGREED

    def test_players_can_replace_their_own_open_proposals(self, left):
        player("emil"), player("fay")
        first = propose(left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="emil")
        propose(left, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="fay")
        first.refresh_from_db()
        assert first.status == ProposalStatus.SUPERSEDED
