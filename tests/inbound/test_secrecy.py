"""No answer reveals anything that is hidden from its reader, or repeats a sealed move."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import transaction

from inbound.handling import handle_due
from inbound.models import InboundMail
from notifications.context import load
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.models import Notification, NotificationKind
from tests.games.builders import running_match, say
from tests.inbound.letters import deliver, reply
from tests.mails import html_of

pytestmark = pytest.mark.django_db
# Random values and counters: the notification's id, and values derived from it or from a nonce.
DIFFERS = re.compile(
    r'boundary="[0-9a-f]{24}"|'
    r"notification-[0-9a-f]{16}|(reply|bounce)\+[a-z2-7]{56}|[0-9a-f-]{36}@mail|receipt\sis\s+[0-9a-f]{64}"
)


@pytest.fixture(autouse=True)
def standing_clock():
    with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC), tick=False):
        yield


def answer_to(mail, *lines):
    """Return the whole answer as it would be sent."""
    deliver(reply(mail, *lines))
    handle_due()
    notification = Notification.objects.filter(kind=NotificationKind.ANSWER).latest("created_at")
    (context,) = load([notification.pk])
    message = seal(context, write(context))
    parts = [*message.message().items(), " ".join(message.body.split()), html_of(message)]
    return DIFFERS.sub("", str(parts))


def in_a_world_where(action, *arguments):
    """Return the answer to a reply, and roll everything back."""
    with transaction.atomic():
        told = action(*arguments)
        transaction.set_rollback(True)
    return told


def asked(mailbox, table):
    """Return the emails that ask the players for something, by seat."""
    numbers = {seat.user.email: seat.number for seat in table.seats}
    mails = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
    return {numbers[mail["To"]]: mail for mail in mails}


def bids(table, seat):
    hand = table.engine.view(table.state, seat).cowboys
    return f"bid {hand[0]}", f"bid {hand[1]} {hand[2]}"


@pytest.mark.parametrize("order", ["board", "log", "help", "withdraw", "nonsense", "name 2", "bid 1"])
def test_other_players_sealed_moves_do_not_change_any_answer(hush, mailbox, order):
    table = running_match("hush")
    mails = asked(mailbox, table)

    def after(move):
        say(table, 1, move)
        return answer_to(mails[0], order)

    assert in_a_world_where(after, "name 1") == in_a_world_where(after, "name 5")


def test_the_players_own_sealed_bid_is_not_in_the_answer(mailbox):
    table = running_match("colorado-county")
    mail = asked(mailbox, table)[0]
    one, other = bids(table, 0)
    assert in_a_world_where(answer_to, mail, one) == in_a_world_where(answer_to, mail, other)


def test_the_players_own_sealed_bid_is_not_in_any_later_answer(mailbox):
    table = running_match("colorado-county")
    mail = asked(mailbox, table)[0]

    def after(bid):
        say(table, 0, bid)
        return answer_to(mail, "board", "log", "help")

    one, other = bids(table, 0)
    assert in_a_world_where(after, one) == in_a_world_where(after, other)


def test_the_answer_does_not_repeat_a_bid_with_a_typo(mailbox):
    table = running_match("colorado-county")
    mail = asked(mailbox, table)[0]
    assert in_a_world_where(answer_to, mail, "bid 12 45 6o") == in_a_world_where(answer_to, mail, "bid 3 17 5o")


def test_the_stored_answer_reveals_no_moves(mailbox):
    table = running_match("colorado-county")
    mail, (bid, _) = asked(mailbox, table)[0], bids(table, 0)
    answer_to(mail, bid)
    stored = [*InboundMail.objects.values(), *Notification.objects.values()]
    assert bid not in str(stored)
    assert "sealed move was accepted" not in str(stored)
