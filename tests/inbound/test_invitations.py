"""People answer invitations by mail."""

import pytest
from django.utils import timezone

from clock import proposals
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import ProposalRequest
from games.models import Invitation, Phase, Seat
from games.models.invitation import Answer
from games.selectors.loading import load_match
from games.services import invitations, lobby
from inbound.models import MailResult
from tests.games.builders import plan, player, running_match, sitting
from tests.inbound.letters import exchange, photo, reply
from tests.inbound.results import answers, results, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def match_id():
    return lobby.create(player("ann"), plan(seats=2, is_private=True)).match.id


@pytest.fixture
def invite(match_id, mailbox):
    def send(to):
        invitations.invite(match_id, player("ann"), to)
        (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "invitation"]
        return mail

    return send


def test_a_reply_that_is_too_large_is_not_read(match_id, invite, mailbox):
    player("ben")
    exchange(photo(reply(invite("ben"), "yes", Subject="yes")))
    assert "larger than 2 MB" in said(answers(mailbox)[0])
    assert seated(match_id) == ["Ann"]


def test_a_reply_from_another_sender_is_answered_at_the_invited_users_own_address(match_id, invite, mailbox):
    player("ben", checks_sender=True)
    exchange(reply(invite("ben"), "yes", From="someone@example.net"))
    (answer,) = answers(mailbox)
    assert answer["To"] == "ben@example.org"
    assert "from another address" in said(answer)
    assert seated(match_id) == ["Ann"]


def seated(match_id):
    return sorted(seat.player_name for seat in load_match(match_id).seats)


@pytest.mark.parametrize("line", ["yes", "Yes, I'd love to!", "Count me in 🙂", "Sure, thanks", "turnpost join {}"])
@pytest.mark.parametrize("to", ["ben", "ben@example.org"])
def test_a_yes_accepts_the_invitation(match_id, invite, mailbox, line, to):
    player("ben")
    exchange(reply(invite(to), line.format(match_id)))
    (answer,) = answers(mailbox)
    assert "You've joined the match." in said(answer)
    assert answer["Reply-To"]
    assert seated(match_id) == ["Ann", "Ben"]
    assert load_match(match_id).match.phase == Phase.RUNNING
    assert results() == [MailResult.ACCEPTED]


@pytest.mark.parametrize("line", ["no", "No thanks, no time", "I can't, sorry", "Thanks, but no thanks"])
@pytest.mark.parametrize("to", ["ben", "ben@example.org", "stranger@example.org"])
def test_a_no_declines_the_invitation_even_if_there_is_no_account(match_id, invite, mailbox, line, to):
    player("ben")
    exchange(reply(invite(to), line))
    assert "You've declined the invitation." in said(answers(mailbox)[0])
    assert Invitation.objects.get().answer == Answer.DECLINED
    assert seated(match_id) == ["Ann"]


def test_a_yes_from_somebody_without_an_account_is_answered_with_the_link(match_id, invite, mailbox):
    mail = invite("stranger@example.org")
    assert "To decline, reply to this email with 'no'" in said(mail)
    exchange(reply(mail, "Yes please!"))
    (answer,) = answers(mailbox)
    assert "You need an account" in said(answer)
    assert "/invitations/" in said(answer)
    assert Invitation.objects.get().answer == Answer.OPEN
    exchange(reply(answer, "Oh, then no, thanks"))
    assert Invitation.objects.get().answer == Answer.DECLINED


@pytest.mark.parametrize("line", ["maybe", "yes?", "yes if Cleo plays", "Who else plays?", "draw", "board"])
def test_an_unclear_answer_changes_nothing_and_shows_no_board(match_id, invite, mailbox, line):
    player("ben")
    exchange(reply(invite("ben"), line))
    (answer,) = answers(mailbox)
    assert "To join, reply with: yes." in said(answer)
    assert "The board" not in said(answer)
    assert Invitation.objects.get().answer == Answer.OPEN
    exchange(reply(answer, "yes"))
    assert seated(match_id) == ["Ann", "Ben"]


def test_the_rules_can_be_asked_for_before_joining(invite, mailbox):
    player("ben")
    exchange(reply(invite("ben"), "rules"))
    assert "Rules of Coloretto" in said(answers(mailbox)[0])
    assert results() == [MailResult.ASKED]


def test_the_answer_to_a_yes_that_comes_too_late_says_that_the_invitation_is_no_longer_open(match_id, invite, mailbox):
    player("ben")
    mail = invite("ben")
    invitations.withdraw(match_id, player("ann"), Invitation.objects.get().pk)
    exchange(reply(mail, "yes"))
    assert "This invitation is no longer open." in said(answers(mailbox)[0])
    assert seated(match_id) == ["Ann"]


def test_a_forged_or_foreign_answer_is_not_answered(match_id, invite, mailbox):
    ben = player("ben")
    mail = invite("ben")
    ben.email = "new@example.org"
    ben.save()
    exchange(reply(mail, "yes"), reply(mail, "yes", To=mail["Reply-To"].replace("+", "+a", 1)))
    assert answers(mailbox) == []
    assert seated(match_id) == ["Ann"]


def test_an_out_of_office_reply_is_not_answered(invite, mailbox):
    exchange(reply(invite("stranger@example.org"), "yes", Auto_Submitted="auto-replied"))
    assert results() == [MailResult.AUTOMATIC]
    assert answers(mailbox) == []


@pytest.mark.parametrize(("line", "status"), [("yes", ProposalStatus.ACCEPTED), ("no", ProposalStatus.DECLINED)])
def test_a_newcomer_can_accept_or_decline_an_offered_seat(mailbox, line, status):
    table, emma = running_match(seats=2), player("emma")
    Seat.objects.filter(pk=table.seats[1].pk).update(stand_in_since=timezone.now())
    request = ProposalRequest(ProposalKind.REPLACEMENT, table.seats[1].number, newcomer="emma")
    proposals.propose(table.match.id, sitting(table.seats[0]), request)
    (mail,) = [mail for mail in mailbox() if mail["To"] == emma.email]
    exchange(reply(mail, line))
    assert Proposal.objects.get().status == status
    assert len([mail for mail in answers(mailbox) if mail["To"] == emma.email]) == 1
