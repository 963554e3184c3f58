"""Players vote on proposals by mail."""

from datetime import timedelta

import pytest

from clock import proposals
from clock.models import Proposal, ProposalKind, ProposalStatus
from games.models import Phase
from games.selectors.loading import load_match
from inbound.models import MailVerdict
from tests.clock.voting import propose
from tests.games.builders import awaited, running_match, sitting
from tests.inbound.letters import exchange, reply
from tests.inbound.results import answers, said, verdicts

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def table():
    return running_match(seats=3)


def mails_to(table, mailbox):
    """Return the emails that ask the player for something, by seat."""
    by_address = {mail["To"]: mail for mail in mailbox() if mail["Subject"].startswith("Your vote is needed")}
    return {seat.number: by_address.get(sitting(seat).email) for seat in table.seats}


@pytest.fixture
def asking(table, mailbox):
    """Propose more time for the player whose turn it is, and return the emails to the other two."""
    late = awaited(table).number
    proposal = propose(table, late, ProposalKind.EXTENSION, time=2 * DAY)
    mails = mails_to(table, mailbox)
    return proposal, [mails[seat] for seat in range(3) if seat != late]


def verdict(proposal):
    return Proposal.objects.get(pk=proposal.pk).status


def test_the_proposal_email_says_how_to_vote(asking):
    assert "Or reply to this email with 'agree' or 'refuse' on the first line." in said(asking[1][0])


def test_the_agree_command_votes_for_the_proposal(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "agree"))
    (answer,) = answers(mailbox)
    assert "You agreed." in said(answer)
    assert "to vote." in said(answer)
    exchange(reply(mails[1], "Agree!"))
    assert "The players agreed." in said(answers(mailbox)[0])
    assert verdict(proposal) == ProposalStatus.AGREED
    assert verdicts() == [MailVerdict.ACCEPTED] * 2


def test_the_refuse_command_votes_against_the_proposal(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "refuse"))
    assert "You declined." in said(answers(mailbox)[0])
    assert verdict(proposal) == ProposalStatus.REJECTED


def test_a_vote_can_be_changed_until_the_proposal_is_decided(hush, mailbox):
    table = running_match("hush", 4)
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=2 * DAY)
    mail = mails_to(table, mailbox)[1]
    exchange(reply(mail, "refuse"), reply(mail, "agree"))
    assert Proposal.objects.get(pk=proposal.pk).votes["1"] is True


def test_a_decided_proposal_cannot_be_voted_on(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "refuse"))
    mailbox()
    exchange(reply(mails[1], "agree"))
    assert "This proposal is already rejected." in said(answers(mailbox)[0])
    assert verdict(proposal) == ProposalStatus.REJECTED


def test_agree_is_refused_in_reply_to_an_email_without_a_proposal(table, mailbox):
    (turn_mail,) = [mail for mail in mailbox() if mail["Subject"].startswith("Your turn")]
    proposal = propose(table, awaited(table).number, ProposalKind.EXTENSION, time=2 * DAY)
    exchange(reply(turn_mail, "agree"))
    assert "That email isn't about a proposal." in said(answers(mailbox)[0])
    assert verdict(proposal) == ProposalStatus.OPEN


def test_a_vote_counts_only_for_the_proposal_in_the_email(table, asking, mailbox):
    first, mails = asking
    other = propose(running_match(seats=3), 0, ProposalKind.PAUSE, time=DAY)
    later = propose(table, awaited(table).number, ProposalKind.PAUSE, time=DAY)
    exchange(reply(mails[0], "agree"))
    before = {proposal.pk: len(proposal.votes) for proposal in (other, later)}
    assert {found.pk: len(found.votes) for found in Proposal.objects.filter(pk__in=before)} == before
    assert len(Proposal.objects.get(pk=first.pk).votes) == 2


def test_a_reply_to_a_forwarded_email_counts_as_the_original_recipients_vote(asking, mailbox):
    """The vote belongs to the reply address, not to the sender."""
    proposal, mails = asking
    exchange(reply(mails[0], "agree", From="stranger@example.net"), reply(mails[0], "agree", From=mails[1]["To"]))
    assert verdict(proposal) == ProposalStatus.OPEN


class TestEndingTheMatch:
    @pytest.fixture
    def mails(self, table, mailbox):
        proposals.abandon(table.match.id, sitting(table.seats[0]), agreed=True)
        return mails_to(table, mailbox)

    def phase(self, table):
        return load_match(table.match.id).match.phase

    def test_everyone_can_agree_to_end_the_match(self, table, mails, mailbox):
        assert "Or reply to this email with 'agree' on the first line." in said(mails[1])
        exchange(reply(mails[1], "agree"))
        assert "You agreed. Others haven't yet." in said(answers(mailbox)[0])
        assert self.phase(table) == Phase.RUNNING
        exchange(reply(mails[2], "agree"))
        assert "The match has ended without a result." in said(answers(mailbox)[0])
        assert self.phase(table) == Phase.ABANDONED

    def test_a_player_who_agreed_can_still_refuse(self, table, mails, mailbox):
        exchange(reply(mails[1], "agree"), reply(mails[1], "refuse"), reply(mails[2], "agree"))
        assert "You declined. The match continues." in " ".join(map(said, answers(mailbox)))
        assert self.phase(table) == Phase.RUNNING

    def test_agree_is_refused_if_nobody_is_asking_to_end_the_match_anymore(self, table, mails, mailbox):
        proposals.abandon(table.match.id, sitting(table.seats[0]), agreed=False)
        exchange(reply(mails[1], "agree"))
        assert "Nobody is asking to end the match now." in said(answers(mailbox)[0])
        assert not any(seat.wants_to_abandon for seat in load_match(table.match.id).seats)
