"""Which messages are stored, and which are only counted."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import DatabaseError
from hypothesis import given
from hypothesis import strategies as st

from core import vault
from core.rates import Rate
from inbound import counts as mail_counts
from inbound.models import InboundMail, MailVerdict
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
    return {verdict: count for _, verdict, count in mail_counts.counted(days=1)}


@pytest.mark.django_db
class TestStoring:
    def test_a_genuine_reply_is_stored_encrypted(self):
        notification = turn_notification()
        assert deliver(DRAW, address_of(notification)) == [MailVerdict.WAITING]
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
        assert deliver(again, address.upper(), source="imap") == [MailVerdict.DUPLICATE]
        assert InboundMail.objects.count() == 1
        assert counts() == {MailVerdict.DUPLICATE: 1}

    def test_a_message_to_two_spellings_of_one_address_is_stored_once(self):
        address = address_of(turn_notification())
        assert deliver(DRAW, address, address.upper()) == [MailVerdict.WAITING]

    def test_messages_without_a_message_id_are_compared_by_content(self):
        address = address_of(turn_notification())
        assert deliver(b"\r\n\r\ndraw", address) == deliver(b"\r\n\r\ntake 1", address) == [MailVerdict.WAITING]
        assert deliver(b"\r\n\r\ndraw", address) == [MailVerdict.DUPLICATE]

    def test_added_header_lines_do_not_change_the_fingerprint(self):
        address, raw = address_of(turn_notification()), b"From: ann@example.org\r\nSubject: x\r\n\r\ndraw\r\n"
        assert deliver(raw, address) == [MailVerdict.WAITING]
        again = b"Received: from elsewhere\r\nDelivered-To: x@example.org\r\n" + raw
        assert deliver(again, address, source="imap") == [MailVerdict.DUPLICATE]
        assert deliver(raw.replace(b"Subject: x", b"Subject: y"), address) == [MailVerdict.WAITING]

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
        verdicts = deliver(DRAW, address_of(notification), address_of(other))
        assert sorted(verdicts) == [MailVerdict.DUPLICATE, MailVerdict.WAITING]
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
    def dropped(self, verdict, raw, address):
        assert deliver(raw, address) == [verdict]
        assert not InboundMail.objects.exists()
        assert counts() == {verdict: 1}

    def test_a_message_to_a_forged_address_is_dropped(self):
        self.dropped(MailVerdict.FORGED, DRAW, "reply+" + "a" * 56 + "@play.example.org")

    def test_a_message_to_an_expired_address_is_dropped(self):
        notification = turn_notification()
        long_ago = datetime.now(UTC) - reply_addresses.GOOD_FOR[reply_addresses.Purpose.REPLY] - timedelta(hours=1)
        self.dropped(MailVerdict.EXPIRED, DRAW, address_of(notification, long_ago))

    def test_a_message_to_the_address_of_a_deleted_notification_is_dropped(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.delete()
        self.dropped(MailVerdict.FOREIGN, DRAW, address)

    def test_a_message_to_an_address_mailed_to_an_old_mailbox_is_dropped(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.user.email = "new@example.org"
        notification.user.save()
        self.dropped(MailVerdict.FOREIGN, DRAW, address)

    def test_a_large_message_is_dropped(self):
        self.dropped(MailVerdict.OVERSIZED, DRAW + b"x" * LARGEST, address_of(turn_notification()))

    def test_a_message_to_a_bounce_address_does_not_count_as_a_reply(self):
        notification = turn_notification()
        bounce = reply_addresses.bounce_address(notification.pk, notification.user.email, datetime.now(UTC))
        self.dropped(MailVerdict.FORGED, DRAW, bounce.replace("bounce", "reply"))

    def test_too_many_messages_to_one_address_are_dropped(self, settings):
        settings.RATES = settings.RATES | {"reply": Rate(2, 3600)}
        address = address_of(turn_notification())
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(5):
                deliver(DRAW.replace(b"<1@", b"<%d@" % number), address)
            assert InboundMail.objects.count() == 2
            assert counts() == {MailVerdict.FLOOD: 3}
            clock.shift(3601)
            assert deliver(DRAW.replace(b"<1@", b"<9@"), address) == [MailVerdict.WAITING]


@pytest.mark.django_db(transaction=True)
def test_a_message_that_is_delivered_many_times_at_once_is_stored_once():
    address = address_of(turn_notification())
    results = all_at_once([lambda: deliver(DRAW, address) for _ in range(6)])
    assert sorted(results) == [[MailVerdict.DUPLICATE]] * 5 + [[MailVerdict.WAITING]]
    assert counts() == {MailVerdict.DUPLICATE: 5}


@pytest.mark.django_db(transaction=True)
def test_a_message_delivered_to_two_addresses_of_a_player_at_once_is_stored_once():
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
    assert sorted(results) == [[MailVerdict.DUPLICATE]] * 5 + [[MailVerdict.WAITING]]
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
