"""Mail arrives twice, late or out of order, while several workers handle it."""

import pytest

from games.models import Move
from games.selectors.loading import load_match
from games.services.audit import first_difference
from inbound import counts
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from notifications.models import Notification, NotificationKind
from tests.games.builders import running_match
from tests.games.racing import all_at_once
from tests.inbound.letters import deliver, exchange, reply

pytestmark = pytest.mark.django_db(transaction=True)
WAYS = ["smtp", "lmtp", "imap", "webhook"]


def answers():
    return Notification.objects.filter(kind=NotificationKind.ANSWER).count()


def results():
    return sorted(InboundMail.objects.values_list("result", flat=True))


def all_went_well(results):
    return [error for error in results if isinstance(error, Exception)] == []


@pytest.fixture
def asked(hush, mailbox):
    """Return two emails that ask for a sealed number on the same turn."""
    table = running_match("hush", seats=2)
    first, second = mailbox()
    return table, first, second


def test_a_message_that_arrives_from_all_sources_at_once_is_played_and_answered_once(asked):
    table, first, _ = asked
    theirs = reply(first, "name 4")

    def bring_and_handle(way):
        deliver(theirs, way)
        handle_due()

    assert all_went_well(all_at_once([lambda way=way: bring_and_handle(way) for way in WAYS * 2]))
    assert (Move.objects.count(), answers(), results()) == (1, 1, [MailResult.ACCEPTED])
    counted = {result: sum(n for _, r, n in counts.counted(1) if r == result) for result in MailResult}
    assert (counted[MailResult.ACCEPTED], counted[MailResult.DUPLICATE]) == (1, 7)
    assert first_difference(load_match(table.match.id)) is None


def test_the_last_of_many_messages_to_one_address_counts(asked):
    _, first, _ = asked
    for number in range(1, 6):
        deliver(reply(first, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 5))
    assert answers() == 5
    assert set(results()) <= {MailResult.ACCEPTED, MailResult.REFUSED}
    assert InboundMail.objects.latest("received_at").result == MailResult.ACCEPTED


def test_if_the_last_two_sealed_moves_arrive_at_once_they_are_revealed_once(asked):
    table, first, second = asked
    for mail, number in ((first, 1), (second, 2)):
        deliver(reply(mail, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 4))
    assert load_match(table.match.id).match.turn == 2
    assert results() == [MailResult.ACCEPTED] * 2
    assert first_difference(load_match(table.match.id)) is None


def test_an_older_message_that_is_delivered_again_changes_nothing(asked, mailbox):
    _, first, _ = asked
    old = reply(first, "name 1")
    exchange(old)
    (answer,) = [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]
    exchange(reply(answer, "name 5"), old)
    assert Move.objects.count() == 2
    assert results() == [MailResult.ACCEPTED] * 2
