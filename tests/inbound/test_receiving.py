"""What is kept of a message, and what is only counted."""

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


def bring(raw, *recipients, source="smtp", envelope_from="ann@example.org"):
    return receive(raw, recipients=recipients, envelope_from=envelope_from, source=source)


def counts():
    return {verdict: count for _, verdict, count in mail_counts.counted(days=1)}


@pytest.mark.django_db
class TestWhatIsKept:
    def test_a_genuine_reply_is_kept_locked_with_all_that_is_needed_to_answer_it(self):
        notification = turn_notification()
        assert bring(DRAW, address_of(notification)) == [MailVerdict.WAITING]
        mail = InboundMail.objects.get()
        assert vault.decrypt(mail.content) == DRAW
        assert (mail.notification, mail.user, mail.turn) == (notification, notification.user, notification.turn)
        assert (mail.message_id, mail.envelope_from, mail.source) == ("<1@example.org>", "ann@example.org", "smtp")

    def test_whoever_reads_the_database_reads_no_move(self):
        bring(DRAW, address_of(turn_notification()))
        assert "draw" not in str(InboundMail.objects.values().get())

    def test_mail_to_others_is_none_of_our_business(self):
        assert bring(DRAW, "ann@example.org", "reply@play.example.org", "") == []

    def test_the_same_message_by_two_ways_is_kept_once(self):
        address = address_of(turn_notification())
        bring(DRAW, address)
        again = b"Received: from elsewhere\r\n" + DRAW
        assert bring(again, address.upper(), source="imap") == [MailVerdict.DUPLICATE]
        assert InboundMail.objects.count() == 1
        assert counts() == {MailVerdict.DUPLICATE: 1}

    def test_the_same_message_to_one_address_in_two_spellings_is_kept_once(self):
        address = address_of(turn_notification())
        assert bring(DRAW, address, address.upper()) == [MailVerdict.WAITING]

    def test_without_a_message_id_the_content_tells_messages_apart(self):
        address = address_of(turn_notification())
        assert bring(b"\r\n\r\ndraw", address) == bring(b"\r\n\r\ntake 1", address) == [MailVerdict.WAITING]
        assert bring(b"\r\n\r\ndraw", address) == [MailVerdict.DUPLICATE]

    def test_without_one_the_lines_that_mail_servers_add_make_no_difference(self):
        address, raw = address_of(turn_notification()), b"From: ann@example.org\r\nSubject: x\r\n\r\ndraw\r\n"
        assert bring(raw, address) == [MailVerdict.WAITING]
        again = b"Received: from elsewhere\r\nDelivered-To: x@example.org\r\n" + raw
        assert bring(again, address, source="imap") == [MailVerdict.DUPLICATE]
        assert bring(raw.replace(b"Subject: x", b"Subject: y"), address) == [MailVerdict.WAITING]

    def test_one_message_to_two_addresses_of_a_player_is_kept_once(self):
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
        verdicts = bring(DRAW, address_of(notification), address_of(other))
        assert sorted(verdicts) == [MailVerdict.DUPLICATE, MailVerdict.WAITING]
        assert InboundMail.objects.count() == 1

    def test_a_database_that_is_gone_is_an_error_so_that_nobody_acknowledges(self, monkeypatch):
        address = address_of(turn_notification())

        def gone(*args, **kwargs):
            raise DatabaseError("gone")

        monkeypatch.setattr(InboundMail.objects, "get_or_create", gone)
        with pytest.raises(DatabaseError):
            bring(DRAW, address)


@pytest.mark.django_db
class TestWhatIsDropped:
    def dropped(self, verdict, raw, address):
        assert bring(raw, address) == [verdict]
        assert not InboundMail.objects.exists()
        assert counts() == {verdict: 1}

    def test_a_forged_address(self):
        self.dropped(MailVerdict.FORGED, DRAW, "reply+" + "a" * 56 + "@play.example.org")

    def test_an_address_whose_time_is_over(self):
        notification = turn_notification()
        long_ago = datetime.now(UTC) - reply_addresses.GOOD_FOR[reply_addresses.Purpose.REPLY] - timedelta(hours=1)
        self.dropped(MailVerdict.EXPIRED, DRAW, address_of(notification, long_ago))

    def test_an_address_of_a_notification_that_is_gone(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.delete()
        self.dropped(MailVerdict.FOREIGN, DRAW, address)

    def test_an_address_in_a_mailbox_that_is_not_the_players_any_more(self):
        notification = turn_notification()
        address = address_of(notification)
        notification.user.email = "new@example.org"
        notification.user.save()
        self.dropped(MailVerdict.FOREIGN, DRAW, address)

    def test_what_is_too_large(self):
        self.dropped(MailVerdict.OVERSIZED, DRAW + b"x" * LARGEST, address_of(turn_notification()))

    def test_the_bounce_address_of_one_notification_makes_no_reply(self):
        notification = turn_notification()
        bounce = reply_addresses.bounce_address(notification.pk, notification.user.email, datetime.now(UTC))
        self.dropped(MailVerdict.FORGED, DRAW, bounce.replace("bounce", "reply"))

    def test_what_is_too_much_for_one_address(self, settings):
        settings.RATES = settings.RATES | {"reply": Rate(2, 3600)}
        address = address_of(turn_notification())
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(5):
                bring(DRAW.replace(b"<1@", b"<%d@" % number), address)
            assert InboundMail.objects.count() == 2
            assert counts() == {MailVerdict.FLOOD: 3}
            clock.shift(3601)
            assert bring(DRAW.replace(b"<1@", b"<9@"), address) == [MailVerdict.WAITING]


@pytest.mark.django_db(transaction=True)
def test_the_same_message_brought_many_times_at_once_is_kept_once():
    address = address_of(turn_notification())
    results = all_at_once([lambda: bring(DRAW, address) for _ in range(6)])
    assert sorted(results) == [[MailVerdict.DUPLICATE]] * 5 + [[MailVerdict.WAITING]]
    assert counts() == {MailVerdict.DUPLICATE: 5}


@pytest.mark.django_db(transaction=True)
def test_the_same_message_at_two_addresses_of_a_player_at_once_is_kept_once():
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
    results = all_at_once([lambda to=to: bring(DRAW, to) for to in both * 3])
    assert sorted(results) == [[MailVerdict.DUPLICATE]] * 5 + [[MailVerdict.WAITING]]
    assert InboundMail.objects.count() == 1


@given(st.binary())
def test_whatever_is_written_has_the_same_in_common_with_its_copies(body):
    raw = b"Subject: x\r\n\r\n" + body
    assert common_to_copies(b"Received: from elsewhere\r\n" + raw) == common_to_copies(raw)


@given(st.binary())
def test_any_bytes_have_a_message_id_or_none(raw):
    assert message_id_of(raw) == "" or message_id_of(raw).startswith("<")


@given(st.text())
def test_any_envelope_sender_can_be_kept(sender):
    kept = plain(sender)
    assert kept is not None
    assert len(kept) <= 254
    assert kept == "" or kept.isprintable()


def test_a_folded_message_id_is_found():
    assert message_id_of(b"Message-ID:\r\n <a.b@c>\r\n\r\n") == "<a.b@c>"
