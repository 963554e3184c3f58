"""Players can vote on proposals by mail."""

from datetime import timedelta

import pytest

from clock import proposals
from clock.models import Proposal, ProposalKind, ProposalStatus
from games.models import Phase
from games.selectors.loading import load_match
from inbound.models import MailResult
from inbound.reading.command_lines import read_vote
from tests.clock.voting import propose
from tests.games.builders import awaited, running_match, sitting
from tests.inbound.letters import exchange, reply
from tests.inbound.results import answers, results, said

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def table():
    return running_match(seats=3)


def mails_to(table, mailbox):
    """Return the emails that ask the players for something, by seat."""
    by_address = {mail["To"]: mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "proposal"}
    return {seat.number: by_address.get(sitting(seat).email) for seat in table.seats}


@pytest.fixture
def asking(table, mailbox):
    """Propose more time for the player whose turn it is, and return the emails to the other two."""
    late = awaited(table).number
    proposal = propose(table, late, ProposalKind.EXTENSION, time=2 * DAY)
    mails = mails_to(table, mailbox)
    return proposal, [mails[seat] for seat in range(3) if seat != late]


def status(proposal):
    return Proposal.objects.get(pk=proposal.pk).status


def test_the_proposal_email_says_how_to_vote(asking):
    assert "Or reply to this email with 'agree' or 'refuse' on the first line." in said(asking[1][0])


@pytest.mark.parametrize("line", ["Yes", "ok", "I agree", "Yes, fine with me", "Sure, thanks!", "agreed 🙂"])
def test_a_yes_in_the_players_own_words_counts_as_a_vote_for_the_proposal(asking, line):
    _, mails = asking
    exchange(reply(mails[0], line))
    assert results() == [MailResult.ACCEPTED]


@pytest.mark.parametrize(
    "line", ["yes?", "yes if Ben agrees", "Yes. But only if Ben agrees.", "maybe", "yes and no", "Ben agrees"]
)
def test_an_unclear_answer_does_not_count_as_a_vote(asking, line):
    _, mails = asking
    exchange(reply(mails[0], line))
    assert results() == [MailResult.REFUSED]


def test_a_no_in_the_players_own_words_counts_as_a_vote_against_the_proposal(asking, mailbox):
    _, mails = asking
    exchange(reply(mails[0], "No, thank you"))
    assert "You declined." in said(answers(mailbox)[0])


def test_after_an_unclear_answer_the_player_is_asked_again_and_the_next_reply_counts_as_a_vote(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "What does Cleo say?"))
    (answer,) = answers(mailbox)
    assert "that doesn't clearly say whether you agree" in said(answer)
    assert "To vote on the proposal, reply with" in said(answer)
    exchange(reply(answer, "yes"), reply(mails[1], "yes"))
    assert status(proposal) == ProposalStatus.AGREED


VOTES = {
    "Agree": [
        "No problem", "no worries", "no objections", "I don't mind", "take your time", "Of course, take your time",
        "yes, get well soon Ben", "good idea", "that's fine", "I'm ok with that", "aye", "ja", "👍", "approved", "+1",
        "Actually, yes", "On second thought, ok",
        "granted", "I accept the proposal", "vote yes", "Why not?", "Yes, no problem", "No problem, Ben",
        "not a problem", "works for me", "No objections from me", "👍🏼", "👍👍", "works for me 👍",
        "That works for me", "No objections here", "I don't mind at all", "Of course, Ben", "sounds good to me",
        "go for it", "Ja gerne",
        "I'd be happy to", "Yes - have fun on your trip!",
    ],
    "Refuse": [
        "vote no", "reject", "I object", "no, too long", "No, let's continue", "not ok", "nein", "👎", "-1",
        "Sorry, no", "I vote no", "rather not", "No, that's too long for me", "against",
        "I'm afraid not", "unfortunately not", "No, I want to keep playing", "no thank you, Ben", "Sorry Ben, no",
        "No time at the moment, sorry", "actually no", "Sorry, no", "On second thought, no",
    ],
    "None": [
        "actually", "actually no, yes", "Oh no!",
        "yes and no", "no, yes", "no problem?", "No, Ben", "I'd agree", "I can't agree", "ok but not longer",
        "Cleo says yes", "never say no", "no time to think", "no idea", "No email came", "no problem if Cleo agrees",
        "is that ok?", "good idea?", "👍?", "take your time?", "yes, unless Cleo minds", "I never agree", "not yes",
        "no 👍", "👍👎", "👍 or 👎", "yes 👎", "I can't this week",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("vote", "text"), [(vote, text) for vote, texts in VOTES.items() for text in texts])
def test_votes_can_be_worded_in_many_ways_and_an_unclear_answer_does_not_count(vote, text):
    assert type(read_vote(text, ["Ben", "Cleo"])).__name__.replace("NoneType", "None") == vote


def test_the_agree_command_votes_for_the_proposal(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "agree"))
    (answer,) = answers(mailbox)
    assert "You agreed." in said(answer)
    assert "to vote." in said(answer)
    exchange(reply(mails[1], "Agree!"))
    assert "The players agreed." in said(answers(mailbox)[0])
    assert status(proposal) == ProposalStatus.AGREED
    assert results() == [MailResult.ACCEPTED] * 2


def test_the_refuse_command_votes_against_the_proposal(asking, mailbox):
    proposal, mails = asking
    exchange(reply(mails[0], "refuse"))
    assert "You declined." in said(answers(mailbox)[0])
    assert status(proposal) == ProposalStatus.REJECTED


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
    assert status(proposal) == ProposalStatus.REJECTED


def test_the_agree_command_is_refused_in_reply_to_an_email_without_a_proposal(table, mailbox):
    (turn_mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
    proposal = propose(table, awaited(table).number, ProposalKind.EXTENSION, time=2 * DAY)
    exchange(reply(turn_mail, "agree"))
    assert "That email isn't about a proposal." in said(answers(mailbox)[0])
    assert status(proposal) == ProposalStatus.OPEN


def test_a_vote_counts_only_for_the_proposal_in_the_email(table, asking, mailbox):
    first, mails = asking
    other = propose(running_match(seats=3), 0, ProposalKind.PAUSE, time=DAY)
    later = propose(table, awaited(table).number, ProposalKind.PAUSE, time=DAY)
    exchange(reply(mails[0], "agree"))
    before = {proposal.pk: len(proposal.votes) for proposal in (other, later)}
    assert {found.pk: len(found.votes) for found in Proposal.objects.filter(pk__in=before)} == before
    assert len(Proposal.objects.get(pk=first.pk).votes) == 2


def test_a_reply_to_a_forwarded_email_counts_as_the_original_recipients_vote(asking, mailbox):
    """The vote depends on the reply address, not on the sender."""
    proposal, mails = asking
    exchange(reply(mails[0], "agree", From="stranger@example.net"), reply(mails[0], "agree", From=mails[1]["To"]))
    assert status(proposal) == ProposalStatus.OPEN


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
        assert "You agreed. Other players haven't agreed yet." in said(answers(mailbox)[0])
        assert self.phase(table) == Phase.RUNNING
        exchange(reply(mails[2], "agree"))
        assert "The match has ended without a result." in said(answers(mailbox)[0])
        assert self.phase(table) == Phase.ABANDONED

    def test_a_player_who_agreed_can_still_refuse(self, table, mails, mailbox):
        exchange(reply(mails[1], "agree"), reply(mails[1], "refuse"), reply(mails[2], "agree"))
        assert "You declined. The match continues." in " ".join(map(said, answers(mailbox)))
        assert self.phase(table) == Phase.RUNNING

    def test_the_agree_command_is_refused_if_nobody_is_asking_to_end_the_match_anymore(self, table, mails, mailbox):
        proposals.abandon(table.match.id, sitting(table.seats[0]), agreed=False)
        exchange(reply(mails[1], "agree"))
        assert "Nobody is asking to end the match now." in said(answers(mailbox)[0])
        assert not any(seat.wants_to_abandon for seat in load_match(table.match.id).seats)
