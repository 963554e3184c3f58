"""Genuine replies that we can't act on get an answer, at most once a day."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from core import vault
from core.rates import Rate
from games.models import Seat
from games.services import orders
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from notifications import bounces, reply_addresses
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind
from notifications.smtp_replies import MailOutcome, Report
from tests.games.builders import awaited, player, sitting
from tests.inbound.letters import deliver, exchange, photo, reply, text_of
from tests.inbound.results import answers, moves, results, said

pytestmark = pytest.mark.django_db


def old_address(notification):
    issued = datetime.now(UTC) - timedelta(days=61)
    return reply_addresses.reply_address(notification.pk, notification.turn, notification.address, issued)


def test_a_reply_with_a_large_photo_is_answered_but_not_played(table, turn_mail, mailbox):
    exchange(photo(reply(turn_mail, "draw")))
    (answer,) = answers(mailbox)
    assert (results(), moves(table)) == ([MailResult.OVERSIZED], [])
    assert "larger than 2 MB" in said(answer)
    exchange(reply(answer, "draw"))
    assert moves(table) == ["mail: draw"], "The answer can be replied to."


def test_only_the_header_of_a_large_message_is_stored(turn_mail):
    deliver(photo(reply(turn_mail, "a secret bid")))
    assert b"secret" not in vault.decrypt(InboundMail.objects.get().content)


def test_a_reply_to_a_very_old_email_is_answered(table, turn_mail, mailbox):
    asked = Notification.objects.get(match=table.match, kind=NotificationKind.YOUR_TURN)
    exchange(reply(turn_mail, "draw", To=old_address(asked)))
    (answer,) = answers(mailbox)
    assert "more than 60 days old" in said(answer)
    assert (results(), moves(table)) == ([MailResult.EXPIRED], [])


def test_a_reply_to_a_very_old_email_shows_that_emails_arrive(table, turn_mail, mailbox):
    user = sitting(awaited(table))
    bounces.record_bounce(user.email, Report(MailOutcome.HARD, "550 5.1.1 Gone"), timezone.now())
    asked = Notification.objects.get(match=table.match, kind=NotificationKind.YOUR_TURN)
    exchange(reply(turn_mail, "draw", To=old_address(asked)))
    assert bounces.state_of(user).state == "ok"
    assert len(answers(mailbox)) == 1


def test_a_reply_from_another_sender_is_answered_at_the_players_own_address(table, turn_mail, mailbox):
    user = sitting(awaited(table))
    user.checks_sender = True
    user.save()
    exchange(reply(turn_mail, "draw", From="mallory@example.org"))
    (answer,) = answers(mailbox)
    assert answer["To"] == user.email
    assert "from another address" in said(answer)
    assert moves(table) == []


def test_a_player_who_no_longer_has_the_seat_gets_an_answer_without_the_board(table, turn_mail, mailbox):
    Seat.objects.filter(match=table.match, user=sitting(awaited(table))).update(user=player("dora"))
    exchange(reply(turn_mail, "draw"))
    (answer,) = [mail for mail in answers(mailbox) if mail["To"] == turn_mail["To"]]
    assert "You no longer have the seat" in said(answer)
    assert "Row 1" not in said(answer)


def test_the_player_is_told_only_once_a_day(turn_mail, mailbox):
    exchange(photo(reply(turn_mail, "draw")), photo(reply(turn_mail, "take 2")))
    assert results() == [MailResult.OVERSIZED] * 2
    assert len(answers(mailbox)) == 1


def test_an_automatic_reply_is_never_answered(turn_mail, mailbox):
    exchange(photo(reply(turn_mail, "I'm away.", Auto_Submitted="auto-replied")))
    assert results() == [MailResult.AUTOMATIC]
    assert answers(mailbox) == []


class TestDigests:
    @pytest.fixture
    def digest(self, table, mailbox):
        user = sitting(awaited(table))
        now = datetime.now(UTC)
        Notification.objects.create(user=user, kind=NotificationKind.DIGEST, created_at=now, due_at=now)
        deliver_due()
        return next(mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "digest")

    def test_a_player_who_replies_to_a_digest_is_asked_which_match_they_mean(self, table, digest, mailbox):
        deliver(reply(digest, "draw"))
        handle_due()
        (answer,) = answers(mailbox)
        assert answer["Subject"] == "Which match do you mean?"
        assert "To move by email, write to reply+" in said(answer)
        assert moves(table) == []

    def test_the_address_for_moves_is_not_broken_into_two_lines(self, digest):
        address = next(word for word in text_of(digest).split() if word.startswith("reply+"))
        assert address.endswith("@play.example.org")

    def test_a_reply_to_a_digest_shows_that_emails_arrive(self, table, digest, mailbox):
        user = sitting(awaited(table))
        bounces.record_bounce(user.email, Report(MailOutcome.HARD, "550 5.1.1 Gone"), timezone.now())
        exchange(reply(digest, "draw"))
        assert bounces.state_of(user).state == "ok"
        assert len(answers(mailbox)) == 1

    def test_a_digest_says_why_no_standing_order_was_played(self, table, mailbox):
        seat = awaited(table)
        orders.add_orders(table.match.id, sitting(seat), ["take 3 if it is full"])
        now = datetime.now(UTC)
        Notification.objects.create(user=seat.user, kind=NotificationKind.DIGEST, created_at=now, due_at=now)
        digest = next(mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "digest")
        assert "Your standing orders: None of your standing orders applied." in said(digest)

    def test_the_limit_for_answers_is_mentioned_once(self, digest, mailbox, settings):
        settings.RATES = settings.RATES | {"mistake": Rate(2, 3600)}
        for _ in range(5):
            exchange(reply(digest, "draw"))
        told = ["Your moves are still played." in said(answer) for answer in answers(mailbox)]
        assert told == [False, False, True]

    def test_an_automatic_reply_to_a_digest_is_not_answered(self, digest, mailbox):
        exchange(reply(digest, "I'm away.", Auto_Submitted="auto-replied"))
        assert answers(mailbox) == []
