"""How long mail that came in is kept: no longer than it is of use."""

from datetime import UTC, datetime, timedelta

import pytest

from games import vault
from games.mail.inbound import counting
from games.mail.inbound.addresses import GOOD_FOR, Purpose
from games.mail.inbound.forgetting import CONTENT_KEPT, MAIL_KEPT
from games.models import InboundMail, MailCount, Notice
from games.models.inbound import MailVerdict
from games.tasks import tidy_up
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db


def mail_of(age, **fields):
    running_match(seats=2)
    notice, at = Notice.objects.latest("pk"), datetime.now(UTC) - age
    fields = {"content": vault.lock(b"name 4"), "purpose": Purpose.REPLY, "turn": 1, "size": 6} | fields
    return InboundMail.objects.create(notice=notice, user=notice.user, received_at=at, due_at=at, **fields)


def test_what_nobody_dealt_with_for_a_week_loses_its_content():
    mail_of(CONTENT_KEPT + timedelta(hours=1))
    tidy_up()
    assert InboundMail.objects.values_list("content", "verdict").get() == ("", MailVerdict.FAILED)


def test_what_waits_for_less_is_left_alone():
    mail_of(CONTENT_KEPT - timedelta(hours=1))
    tidy_up()
    assert InboundMail.objects.get().verdict == MailVerdict.WAITING
    assert InboundMail.objects.get().content


def test_that_an_address_was_used_is_known_for_longer_than_it_is_good_for():
    assert GOOD_FOR[Purpose.REPLY] < MAIL_KEPT
    mail_of(MAIL_KEPT - timedelta(days=1), has_moved=True, verdict=MailVerdict.ACCEPTED)
    tidy_up()
    assert InboundMail.objects.filter(has_moved=True).exists()


def test_in_the_end_all_is_forgotten():
    mail_of(MAIL_KEPT + timedelta(days=1), verdict=MailVerdict.ACCEPTED)
    counting.count(MailVerdict.ACCEPTED, "smtp")
    MailCount.objects.update(day=(datetime.now(UTC) - counting.KEPT_FOR).date() - timedelta(days=1))
    tidy_up()
    assert not InboundMail.objects.exists()
    assert not MailCount.objects.exists()
