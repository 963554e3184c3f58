"""No mail tells what its reader may not know, nor repeats what its reader has sealed."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from games.mail.envelope import seal
from games.mail.letters import write
from games.mail.occasion import load
from games.models import Notice
from games.models.notice import NoticeKind
from tests.games.builders import running_match, say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def standing_clock():
    with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC), tick=False):
        yield


KINDS = [NoticeKind.YOUR_TURN, NoticeKind.REMINDER, NoticeKind.NEWS, NoticeKind.DEADLINE_PASSED]
DIFFERS = re.compile(r"notice-\d+")


def mail(table, seat, kind):
    """All of a mail but the number of the notice."""
    now = timezone.now()
    notice = Notice.objects.create(
        user=seat.user, match=table.match, seat=seat.number, kind=kind, data={"late": [0]}, owed_at=now, due_at=now
    )
    (occasion,) = load([notice.pk])
    message = seal(occasion, write(occasion))
    parts = [*message.message().items(), message.body, message.alternatives[0].content]
    return DIFFERS.sub("", str(parts))


def mails_after(table, seat, move):
    """What everybody would be told if this seat made this move; then it is as if nothing had happened."""
    with transaction.atomic():
        say(table, seat, move)
        told = [mail(table, reader, kind) for reader in table.seats for kind in KINDS]
        transaction.set_rollback(True)
    return told


def test_two_worlds_that_differ_in_one_sealed_number_give_everybody_the_same_mail(hush):
    table = running_match("hush")
    assert mails_after(table, 0, "name 1") == mails_after(table, 0, "name 5")


def test_two_worlds_that_differ_in_one_sealed_bid_give_everybody_the_same_mail():
    table = running_match("colorado-county")
    seat = min(table.engine.awaiting(table.state))
    hand = table.engine.view(table.state, seat).cowboys
    assert mails_after(table, seat, f"bid {hand[0]}") == mails_after(table, seat, f"bid {hand[1]} {hand[2]}")
