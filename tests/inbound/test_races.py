"""Mail that arrives twice, late or out of order, while several workers handle it."""

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
from tests.inbound.letters import deliver, exchange, reply
from tests.not_none import not_none

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
    assert (Move.objects.count(), answers(), verdicts()) == (1, 1, [MailVerdict.ACCEPTED])
    counted = {verdict: sum(n for _, v, n in counts.counted(1) if v == verdict) for verdict in MailVerdict}
    assert (counted[MailVerdict.ACCEPTED], counted[MailVerdict.DUPLICATE]) == (1, 7)
    assert first_difference(load_match(table.match.id)) is None


def test_only_one_of_many_messages_to_one_address_plays_a_move(asked):
    _, first, _ = asked
    for number in range(1, 6):
        deliver(reply(first, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 5))
    assert (Move.objects.count(), answers()) == (1, 1)
    assert verdicts() == [MailVerdict.ACCEPTED] + [MailVerdict.REPLAYED] * 4


def test_control_without_the_match_lock_an_address_would_work_twice(asked, no_lock, monkeypatch):
    """Both workers check whether the address has been used before either records it."""
    _, first, _ = asked
    for number in (1, 2):
        deliver(reply(first, f"name {number}"))
    gate, judged, judge = Barrier(2, timeout=20), [], authentication.authenticate

    def judge_together(*arguments):
        judged.append(judge(*arguments))
        gate.wait()
        return judged[-1]

    monkeypatch.setattr(authentication, "authenticate", judge_together)
    claims = [not_none(QUEUE.claim(timezone.now(), 1)).token for _ in range(2)]
    all_at_once([partial(handle, claim) for claim in claims])
    assert [type(verdict) for verdict in judged] == [authentication.Genuine] * 2


def test_if_the_last_two_sealed_moves_arrive_at_once_they_are_revealed_once(asked):
    table, first, second = asked
    for mail, number in ((first, 1), (second, 2)):
        deliver(reply(mail, f"name {number}"))
    assert all_went_well(all_at_once([handle_due] * 4))
    assert load_match(table.match.id).match.turn == 2
    assert verdicts() == [MailVerdict.ACCEPTED] * 2
    assert first_difference(load_match(table.match.id)) is None


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_first_message_to_an_address_counts_in_any_order(asked, order):
    _, first, _ = asked
    mails = [reply(first, f"name {number}") for number in (1, 2, 3)]
    exchange(*[mails[place] for place in order])
    assert Move.objects.count() == 1
    counted = InboundMail.objects.get(verdict=MailVerdict.ACCEPTED)
    assert counted.message_id == mails[order[0]]["Message-ID"]


def test_an_older_message_that_arrives_late_changes_nothing(asked, mailbox):
    _, first, _ = asked
    old, late = reply(first, "name 1"), reply(first, "name 2")
    exchange(old)
    (answer,) = [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]
    exchange(reply(answer, "name 5"), late, old)
    assert Move.objects.count() == 2
    assert Move.objects.latest("number").source == "mail"
    assert verdicts() == [MailVerdict.ACCEPTED] * 2 + [MailVerdict.REPLAYED]
