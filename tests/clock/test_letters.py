from datetime import timedelta

import pytest

from clock.models import ProposalKind
from clock.sweep import sweep
from notifications import context, letters
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind
from tests.clock.voting import names, newest_letter, propose, vote
from tests.games.builders import awaited, running_match, say, sitting
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
    assert letter.subject.endswith(": your vote is needed")
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
    assert letter.subject.endswith(": proposal passed")
    assert "clocks are stopped until Thursday 12 June 2025, 12:00 (UTC)" in " ".join(as_text(letter).split())


def test_nobody_is_asked_to_vote_on_a_decided_proposal(table):
    proposal = propose(table, 0, ProposalKind.PAUSE, time=timedelta(days=10))
    vote(table, 1, proposal, agreed=False)
    asked = Notification.objects.filter(kind=NotificationKind.PROPOSAL, data__status="open").first()
    with pytest.raises(context.NothingToSay):
        letters.write(context.load([not_none(asked).pk])[0])


def test_nobody_is_asked_to_vote_on_an_extension_once_the_player_has_moved(table):
    propose(table, 0, ProposalKind.EXTENSION, time=timedelta(days=2))
    say(table, 0, "name 2")
    with pytest.raises(context.NothingToSay, match="no longer relevant"):
        letter_to(*names(table, 1))


def test_a_time_out_and_the_next_turn_are_reported_in_one_email(mail_server, frozen_time):
    table = running_match(seats=2)
    deliver_due()
    before = len(mail_server.arrived)
    frozen_time.shift(timedelta(days=8))
    sweep()
    deliver_due()
    late, following = awaited(table), next(seat for seat in table.seats if not seat.awaited_since)
    told = [mail for mail in mail_server.arrived[before:] if mail["X-Turnpost-Kind"] != "reminder"]
    kinds = {mail["To"]: mail["X-Turnpost-Kind"] for mail in told}
    assert kinds == {sitting(late).email: "deadline_passed", sitting(following).email: "your_turn"}
    assert len(told) == 2
    (turn_mail,) = [mail for mail in told if mail["X-Turnpost-Kind"] == "your_turn"]
    assert f"{late.player_name} ran out of time" in " ".join(turn_mail.get_body(["plain"]).get_content().split())
