"""How long mail that came in is kept: no longer than it is of use."""

from datetime import UTC, datetime, timedelta

import pytest

from core import vault
from core.housekeeping import tidy_up
from inbound import counts
from inbound.handling import CONTENT_KEPT, MAIL_KEPT
from inbound.models import InboundMail, MailCount, MailVerdict
from notifications.models import Notification
from notifications.reply_addresses import GOOD_FOR, Purpose
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db


def mail_of(age, **fields):
    running_match(seats=2)
    notification, at = Notification.objects.latest("created_at"), datetime.now(UTC) - age
    fields = {"content": vault.encrypt(b"name 4"), "purpose": Purpose.REPLY, "turn": 1, "size": 6} | fields
    return InboundMail.objects.create(
        notification=notification, user=notification.user, received_at=at, due_at=at, **fields
    )


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
    counts.count(MailVerdict.ACCEPTED, "smtp")
    MailCount.objects.update(day=(datetime.now(UTC) - counts.KEPT_FOR).date() - timedelta(days=1))
    tidy_up()
    assert not InboundMail.objects.exists()
    assert not MailCount.objects.exists()
