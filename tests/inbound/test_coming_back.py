"""Players can take back their seats by mail."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from clock.models import Heartbeat, Vacation
from clock.sweep import sweep
from games.models.pace import Pace
from games.selectors.loading import load_match
from inbound.models import MailResult
from tests.games.builders import awaited, running_match, sitting
from tests.inbound.letters import exchange, reply
from tests.inbound.results import answers, moves, results, said

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def frozen_time():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def table():
    return running_match(seats=2, pace=Pace(DAY, patience=1))


@pytest.fixture
def gone(table):
    return awaited(table)


@pytest.fixture
def stand_in_mail(gone, frozen_time, mailbox):
    """Return the email about the stand-in."""
    mailbox()
    frozen_time.shift(DAY)
    Heartbeat.objects.update(at=timezone.now())
    sweep()
    (mail,) = [mail for mail in mailbox() if mail["To"] == sitting(gone).email]
    return mail


def has_stand_in(table, gone):
    return load_match(table.match.id).seats[gone.number].has_stand_in


def test_the_email_says_how_to_come_back_by_mail(stand_in_mail):
    assert "To take your seat back:" in said(stand_in_mail)
    assert "Or reply to this email with 'back' on the first line." in said(stand_in_mail)


def test_the_email_offers_no_moves_if_the_stand_in_moves_immediately(stand_in_mail):
    assert "Any move of your own" not in said(stand_in_mail)


@pytest.mark.parametrize("words", ["back", "I'm back", "I’m back!"])
def test_the_back_command_returns_the_seat_to_the_player(table, gone, stand_in_mail, mailbox, words):
    exchange(reply(stand_in_mail, words))
    assert "You have your seat back. The stand-in has stopped playing for you." in said(answers(mailbox)[0])
    assert not has_stand_in(table, gone)
    assert results() == [MailResult.ACCEPTED]


def test_the_back_command_also_ends_a_vacation(table, gone, stand_in_mail, mailbox):
    today = date(2026, 11, 17)
    Vacation.objects.create(user=sitting(gone), first_day=today, last_day=today + 7 * DAY)
    exchange(reply(stand_in_mail, "back"))
    answer = said(answers(mailbox)[0])
    assert "You have your seat back" in answer
    assert "Your vacation ends today, 2026-11-17." in answer
    assert not has_stand_in(table, gone)


def test_a_move_by_an_absent_player_is_refused_and_the_answer_says_how_to_come_back(
    table, gone, stand_in_mail, mailbox
):
    made = moves(table)
    exchange(reply(stand_in_mail, "draw"))
    answer = said(answers(mailbox)[0])
    assert "A stand-in is playing your seat" in answer
    assert "Take your seat back first, with 'back'." in answer
    assert moves(table) == made
    assert has_stand_in(table, gone)


def test_the_seat_cannot_be_taken_back_after_the_match_has_ended(table, gone, stand_in_mail, frozen_time, mailbox):
    frozen_time.shift(DAY)
    Heartbeat.objects.update(at=timezone.now())
    sweep()
    mailbox()
    exchange(reply(stand_in_mail, "back"))
    assert "You aren't on vacation." in said(answers(mailbox)[0])
