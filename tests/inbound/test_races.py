"""Mail comes twice, late, in another order, and is dealt with by several workers at once."""

from functools import partial
from itertools import permutations
from threading import Barrier

import pytest
from django.utils import timezone

from games.models import Move
from games.selectors.loading import load_match
from games.services.audit import first_difference
from inbound import authentication, counts
from inbound.handling import QUEUE, handle, handle_due
from inbound.models import InboundMail, MailVerdict
from notifications.models import Notification, NotificationKind
from tests.games.builders import running_match
from tests.games.racing import all_at_once
from tests.inbound.letters import bring, exchange, reply

pytestmark = pytest.mark.django_db(transaction=True)
WAYS = ["smtp", "lmtp", "imap", "webhook"]


def answers():
    return Notification.objects.filter(kind=NotificationKind.ANSWER).count()


def verdicts():
    return sorted(InboundMail.objects.values_list("verdict", flat=True))


def all_went_well(results):
    return [error for error in results if isinstance(error, Exception)] == []


@pytest.fixture
def asked(hush, mailbox):
    """The two mails that ask for a sealed number, where the turn does not tell old from new."""
    table = running_match("hush", seats=2)
    first, second = mailbox()
    return table, first, second


def test_one_message_by_every_way_at_once_makes_one_move_and_one_answer(asked):
    table, first, _ = asked
    theirs = reply(first, "name 4")

    def bring_and_handle(way):
        bring(theirs, way)
        handle_due()

    assert all_went_well(all_at_once([lambda way=way: bring_and_handle(way) for way in WAYS * 2]))
    assert (Move.objects.count(), answers(), verdicts()) == (1, 1, [MailVerdict.ACCEPTED])
    counted = {verdict: sum(n for _, v, n in counts.counted(1) if v == verdict) for verdict in MailVerdict}
    assert (counted[MailVerdict.ACCEPTED], counted[MailVerdict.DUPLICATE]) == (1, 7)
    assert first_difference(load_match(table.match.id)) is None


def test_of_many_messages_to_one_address_one_makes_a_move(asked):
    _, first, _ = asked
    for number in range(1, 6):
        bring(reply(first, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 5))
    assert (Move.objects.count(), answers()) == (1, 1)
    assert verdicts() == [MailVerdict.ACCEPTED] + [MailVerdict.REPLAYED] * 4


def test_control_without_the_lock_on_the_match_an_address_would_work_twice(asked, no_lock, monkeypatch):
    """Both look whether the address has been used before either has written that it has."""
    _, first, _ = asked
    for number in (1, 2):
        bring(reply(first, f"name {number}"))
    gate, judged, judge = Barrier(2, timeout=20), [], authentication.authenticate

    def judge_together(*arguments):
        judged.append(judge(*arguments))
        gate.wait()
        return judged[-1]

    monkeypatch.setattr(authentication, "authenticate", judge_together)
    claims = [QUEUE.claim(timezone.now(), 1).token for _ in range(2)]
    all_at_once([partial(handle, claim) for claim in claims])
    assert [type(verdict) for verdict in judged] == [authentication.Genuine] * 2


def test_the_last_two_sealed_moves_by_mail_at_once_are_revealed_once(asked):
    table, first, second = asked
    for mail, number in ((first, 1), (second, 2)):
        bring(reply(mail, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 4))
    assert load_match(table.match.id).match.turn == 2
    assert verdicts() == [MailVerdict.ACCEPTED] * 2
    assert first_difference(load_match(table.match.id)) is None


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_in_whatever_order_messages_to_one_address_come_the_first_counts(asked, order):
    _, first, _ = asked
    mails = [reply(first, f"name {number}") for number in (1, 2, 3)]
    exchange(*[mails[place] for place in order])
    assert Move.objects.count() == 1
    counted = InboundMail.objects.get(verdict=MailVerdict.ACCEPTED)
    assert counted.message_id == mails[order[0]]["Message-ID"]


def test_what_was_written_before_and_comes_after_a_newer_mail_changes_nothing(asked, mailbox):
    _, first, _ = asked
    old, late = reply(first, "name 1"), reply(first, "name 2")
    exchange(old)
    (answer,) = [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]
    exchange(reply(answer, "name 5"), late, old)
    assert Move.objects.count() == 2
    assert Move.objects.latest("number").source == "mail"
    assert verdicts() == [MailVerdict.ACCEPTED] * 2 + [MailVerdict.REPLAYED]
