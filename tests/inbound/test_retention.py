"""Received emails are kept for a limited time."""

from datetime import UTC, datetime, timedelta

import pytest

from core import vault
from core.housekeeping import tidy_up
from inbound import counts
from inbound.handling import CONTENT_KEPT, MAIL_KEPT
from inbound.models import InboundMail, MailCount, MailResult
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


def test_the_content_of_an_unhandled_message_is_deleted_after_a_week():
    mail_of(CONTENT_KEPT + timedelta(hours=1))
    tidy_up()
    assert InboundMail.objects.values_list("content", "result").get() == ("", MailResult.FAILED)


def test_the_content_of_a_message_is_kept_for_up_to_a_week():
    mail_of(CONTENT_KEPT - timedelta(hours=1))
    tidy_up()
    assert InboundMail.objects.get().result == MailResult.WAITING
    assert InboundMail.objects.get().content


def test_a_used_address_is_remembered_for_longer_than_it_is_valid():
    assert GOOD_FOR[Purpose.REPLY] < MAIL_KEPT
    mail_of(MAIL_KEPT - timedelta(days=1), has_moved=True, result=MailResult.ACCEPTED)
    tidy_up()
    assert InboundMail.objects.filter(has_moved=True).exists()


def test_old_rows_and_counts_are_deleted():
    mail_of(MAIL_KEPT + timedelta(days=1), result=MailResult.ACCEPTED)
    counts.count(MailResult.ACCEPTED, "smtp")
    MailCount.objects.update(day=(datetime.now(UTC) - counts.RETENTION).date() - timedelta(days=1))
    tidy_up()
    assert not InboundMail.objects.exists()
    assert not MailCount.objects.exists()
