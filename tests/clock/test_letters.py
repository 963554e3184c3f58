"""Emails about proposals."""

from datetime import timedelta

import pytest

from clock.models import ProposalKind
from notifications import context, letters
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.models import Notification, NotificationKind
from tests.clock.voting import names, newest_letter, propose, vote
from tests.games.builders import running_match, say
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]


@pytest.fixture
def table(hush):
    return running_match("hush", 3)


def letter_to(name):
    return newest_letter(kind=NotificationKind.PROPOSAL, user__username=name)


def test_a_proposal_email_contains_commands_to_vote(table):
    proposal = propose(table, 0, ProposalKind.EXTENSION, time=timedelta(days=2))
    letter = letter_to(*names(table, 1))
    assert letter.subject.startswith("Your vote is needed: Hush with ")
    assert f"{table.names[0]} proposed extending their own deadline by 2 days." in " ".join(as_text(letter).split())
    which = f"{table.match.id} --proposal {proposal.pk}"
    for order in (f"turnpost agree {which}", f"turnpost refuse {which}"):
        assert order in as_text(letter)
        assert order in as_html(letter)


def test_the_email_about_an_agreed_pause_says_when_it_ends(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=timedelta(days=10))
    for seat in (1, 2):
        vote(table, seat, proposal)
    letter = letter_to(*names(table, 0))
    assert letter.subject.startswith("Proposal passed: ")
    assert "clocks are stopped until Thursday 12 June 2025, 12:00 (UTC)" in " ".join(as_text(letter).split())


def test_nobody_is_asked_about_a_decided_proposal(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=timedelta(days=10))
    vote(table, 1, proposal, agreed=False)
    asked = Notification.objects.filter(kind=NotificationKind.PROPOSAL, data__status="open").first()
    with pytest.raises(context.NothingToSay):
        letters.write(context.load([not_none(asked).pk])[0])


def test_nobody_is_asked_for_an_extension_once_the_player_has_moved(table):
    propose(table, 0, ProposalKind.EXTENSION, time=timedelta(days=2))
    say(table, 0, "name 2")
    with pytest.raises(context.NothingToSay, match="no longer relevant"):
        letter_to(*names(table, 1))
