"""Some messages are stored, and others are only counted."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.db import DatabaseError
from hypothesis import given
from hypothesis import strategies as st

from core import vault
from core.rates import Rate
from inbound import counts as mail_counts
from inbound.models import InboundMail, MailResult
from inbound.receiving import LARGEST, common_to_copies, message_id_of, plain, receive
from notifications import reply_addresses
from notifications.models import Notification, NotificationKind
from tests.games.builders import running_match
from tests.games.racing import all_at_once

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DRAW = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\ndraw\r\n"


def turn_notification():
    running_match(seats=2)
    return Notification.objects.select_related("user").get(kind=NotificationKind.YOUR_TURN)


def address_of(notification, at=None):
    return reply_addresses.reply_address(
        notification.pk, notification.turn, notification.user.email, at or datetime.now(UTC)
    )


def deliver(raw, *recipients, source="smtp", envelope_from="ann@example.org"):
    return receive(raw, recipients=recipients, envelope_from=envelope_from, source=source)


def counts():
    return {result: count for _, result, count in mail_counts.counted(days=1)}


@pytest.mark.django_db
class TestStoring:
    def test_a_genuine_reply_is_stored_encrypted(self):
        notification = turn_notification()
        assert deliver(DRAW, address_of(notification)) == [MailResult.WAITING]
        mail = InboundMail.objects.get()
        assert vault.decrypt(mail.content) == DRAW
        assert (mail.notification, mail.user, mail.turn) == (notification, notification.user, notification.turn)
        assert (mail.message_id, mail.envelope_from, mail.source) == ("<1@example.org>", "ann@example.org", "smtp")

    def test_the_stored_message_does_not_reveal_the_move(self):
        deliver(DRAW, address_of(turn_notification()))
        assert "draw" not in str(InboundMail.objects.values().get())

    def test_mail_to_other_addresses_is_ignored(self):
        assert deliver(DRAW, "ann@example.org", "reply@play.example.org", "") == []

    def test_a_message_that_arrives_from_two_sources_is_stored_once(self):
        address = address_of(turn_notification())
        deliver(DRAW, address)
        again = b"Received: from elsewhere\r\n" + DRAW
        assert deliver(again, address.upper(), source="imap") == [MailResult.DUPLICATE]
        assert InboundMail.objects.count() == 1
        assert counts() == {MailResult.DUPLICATE: 1}

    def test_a_message_to_two_spellings_of_one_address_is_stored_once(self):
        address = address_of(turn_notification())
        assert deliver(DRAW, address, address.upper()) == [MailResult.WAITING]

    def test_messages_without_a_message_id_are_compared_by_content(self):
        address = address_of(turn_notification())
        assert deliver(b"\r\n\r\ndraw", address) == deliver(b"\r\n\r\ntake 1", address) == [MailResult.WAITING]
        assert deliver(b"\r\n\r\ndraw", address) == [MailResult.DUPLICATE]

    def test_added_header_lines_do_not_change_the_fingerprint(self):
        address, raw = address_of(turn_notification()), b"From: ann@example.org\r\nSubject: x\r\n\r\ndraw\r\n"
        assert deliver(raw, address) == [MailResult.WAITING]
        again = b"Received: from elsewhere\r\nDelivered-To: x@example.org\r\n" + raw
        assert deliver(again, address, source="imap") == [MailResult.DUPLICATE]
        assert deliver(raw.replace(b"Subject: x", b"Subject: y"), address) == [MailResult.WAITING]

    def test_a_message_to_two_addresses_of_a_player_is_stored_once(self):
        notification = turn_notification()
        other = Notification.objects.create(
            user=notification.user,
            match=notification.match,
            seat=notification.seat,
            turn=notification.turn,
            kind=NotificationKind.REMINDER,
            created_at=NOON,
            due_at=NOON,
        )
        results = deliver(DRAW, address_of(notification), address_of(other))
        assert sorted(results) == [MailResult.DUPLICATE, MailResult.WAITING]
        assert InboundMail.objects.count() == 1

    def test_a_database_error_is_raised_so_the_message_is_not_acknowledged(self, monkeypatch):
        address = address_of(turn_notification())

        def gone(*args, **kwargs):
            raise DatabaseError("gone")

        monkeypatch.setattr(InboundMail.objects, "get_or_create", gone)
        with pytest.raises(DatabaseError):
            deliver(DRAW, address)


@pytest.mark.django_db
class TestDropping:
    def dropped(self, result, raw, address):
        assert deliver(raw, address) == [result]
        assert not InboundMail.objects.exists()
        assert counts() == {result: 1}

    def test_a_message_to_a_forged_address_is_dropped(self):
        self.dropped(MailResult.FORGED, DRAW, "reply+" + "a" * 56 + "@play.example.org")

    def test_a_message_to_the_address_of_a_deleted_notification_is_dropped(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.delete()
        self.dropped(MailResult.FOREIGN, DRAW, address)

    def test_a_message_to_a_reply_address_from_an_old_mailbox_is_dropped(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.user.email = "new@example.org"
        notification.user.save()
        self.dropped(MailResult.FOREIGN, DRAW, address)

    def test_a_large_message_to_a_bounce_address_is_dropped(self):
        notification = turn_notification()
        bounce = reply_addresses.bounce_address(notification.pk, notification.user.email, datetime.now(UTC))
        self.dropped(MailResult.OVERSIZED, DRAW + b"x" * LARGEST, bounce)

    def test_a_message_to_a_bounce_address_does_not_count_as_a_reply(self):
        notification = turn_notification()
        bounce = reply_addresses.bounce_address(notification.pk, notification.user.email, datetime.now(UTC))
        self.dropped(MailResult.FORGED, DRAW, bounce.replace("bounce", "reply"))

    def test_too_many_messages_to_one_address_are_dropped(self, settings):
        settings.RATES = settings.RATES | {"reply": Rate(2, 3600)}
        address = address_of(turn_notification())
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(5):
                deliver(DRAW.replace(b"<1@", b"<%d@" % number), address)
            assert InboundMail.objects.count() == 3, "The first message over the limit is answered."
            assert counts() == {MailResult.FLOOD: 2}
            clock.shift(3601)
            assert deliver(DRAW.replace(b"<1@", b"<9@"), address) == [MailResult.WAITING]


@pytest.mark.django_db(transaction=True)
def test_a_message_that_is_delivered_many_times_at_once_is_stored_once():
    address = address_of(turn_notification())
    results = all_at_once([lambda: deliver(DRAW, address) for _ in range(6)])
    assert sorted(results) == [[MailResult.DUPLICATE]] * 5 + [[MailResult.WAITING]]
    assert counts() == {MailResult.DUPLICATE: 5}


@pytest.mark.django_db(transaction=True)
def test_a_message_delivered_to_two_addresses_of_a_player_at_the_same_time_is_stored_once():
    notification = turn_notification()
    other = Notification.objects.create(
        user=notification.user,
        match=notification.match,
        seat=notification.seat,
        turn=1,
        kind=NotificationKind.REMINDER,
        created_at=NOON,
        due_at=NOON,
    )
    both = [address_of(notification), address_of(other)]
    results = all_at_once([lambda to=to: deliver(DRAW, to) for to in both * 3])
    assert sorted(results) == [[MailResult.DUPLICATE]] * 5 + [[MailResult.WAITING]]
    assert InboundMail.objects.count() == 1


@given(st.binary())
def test_copies_of_any_message_have_the_same_fingerprint(body):
    raw = b"Subject: x\r\n\r\n" + body
    assert common_to_copies(b"Received: from elsewhere\r\n" + raw) == common_to_copies(raw)


@given(st.binary())
def test_reading_a_message_id_never_raises(raw):
    assert message_id_of(raw) == "" or message_id_of(raw).startswith("<")


@given(st.text())
def test_any_envelope_sender_can_be_stored(sender):
    kept = plain(sender)
    assert kept is not None
    assert len(kept) <= 254
    assert kept == "" or kept.isprintable()


def test_a_message_id_on_a_folded_header_line_is_found():
    assert message_id_of(b"Message-ID:\r\n <a.b@c>\r\n\r\n") == "<a.b@c>"
