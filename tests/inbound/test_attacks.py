"""Attacks on play by mail arrive through the real listener.

Nothing changes, no email is sent, and each attack is counted.
"""

import smtplib
from datetime import UTC, datetime, timedelta
from email import policy

import pytest
from django.test import override_settings

from core.rates import Rate
from games.models import Event, Message, Move, Seat
from games.selectors.loading import load_match
from inbound import counts as mail_counts
from inbound.handling import handle_due
from inbound.models import MailResult
from inbound.receiving import LARGEST
from notifications import reply_addresses
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind
from tests.games.builders import awaited, player, running_match, say, send, sitting
from tests.inbound.letters import exchange, reply
from tests.inbound.results import answers, said

pytestmark = pytest.mark.django_db(transaction=True)


def notification_of(table):
    return Notification.objects.get(match=table.match, kind=NotificationKind.YOUR_TURN)


def reader_of(table):
    return sitting(awaited(load_match(table.match.id)))


@pytest.fixture
def attack(listener, mail_server):
    """Send and handle the emails. Then check that nothing has changed, and that the results are counted."""

    def send(result, *mails, to=None, sender="ann@example.org", times=None, answered=0):
        before, arrived, counted = everything(), len(mail_server.arrived), counts().get(result, 0)
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            for mail in mails:
                client.sendmail(sender, [to or mail["To"]], mail.as_bytes(policy=policy.SMTP))
        handle_due()
        deliver_due()
        assert everything() == before
        assert len(mail_server.arrived) - arrived == answered
        assert counts()[result] - counted == (len(mails) if times is None else times)

    return send


def everything():
    """Return everything that an email could change."""
    rows = [Move.objects.values_list("match", "number", "content"), Event.objects.values_list("hash")]
    rows += [Message.objects.values_list("text"), Seat.objects.values_list("user", "is_muted", "acted_through")]
    rows += [Notification.objects.exclude(kind=NotificationKind.ANSWER).values_list("pk", "kind", "user")]
    return [sorted(map(str, some)) for some in rows]


def counts():
    return {result: count for _, result, count in mail_counts.counted(days=1)}


class TestTokens:
    def test_a_message_that_is_sent_again_counts_as_a_replay(self, turn_mail, attack):
        theirs = reply(turn_mail, "draw")
        exchange(theirs)
        attack(MailResult.DUPLICATE, theirs)

    def test_an_invented_address_counts_as_forged(self, turn_mail, attack):
        attack(MailResult.FORGED, reply(turn_mail, "draw"), to="reply+" + "q" * 56 + "@play.example.org")

    def test_a_changed_address_counts_as_forged(self, turn_mail, attack):
        genuine = turn_mail["Reply-To"]
        for place in (6, 13, 20, 30, 53, 61):
            letter = "b" if genuine[place] == "a" else "a"
            attack(MailResult.FORGED, reply(turn_mail, "draw"), to=genuine[:place] + letter + genuine[place + 1 :])

    def test_a_reply_address_made_from_a_bounce_address_counts_as_forged(self, table, turn_mail, attack):
        bounce = reply_addresses.bounce_address(notification_of(table).pk, turn_mail["To"], datetime.now(UTC))
        attack(MailResult.FORGED, reply(turn_mail, "draw"), to=bounce.replace("bounce+", "reply+"))

    def test_an_address_signed_by_another_service_counts_as_forged(self, table, turn_mail, attack):
        notification = notification_of(table)
        with override_settings(SECRET_KEY="of another service"):
            theirs = reply_addresses.reply_address(
                notification.pk, notification.turn, turn_mail["To"], datetime.now(UTC)
            )
        attack(MailResult.FORGED, reply(turn_mail, "draw"), to=theirs)

    def test_an_old_address_has_expired(self, table, turn_mail, attack):
        notification, issued = notification_of(table), datetime.now(UTC) - timedelta(days=61)
        old = reply_addresses.reply_address(notification.pk, notification.turn, turn_mail["To"], issued)
        attack(MailResult.EXPIRED, reply(turn_mail, "draw"), to=old, answered=1)

    def test_an_address_counts_as_foreign_after_the_seat_is_handed_over(self, table, turn_mail, attack):
        Seat.objects.filter(match=table.match, user=reader_of(table)).update(user=player("dora"))
        attack(MailResult.FOREIGN, reply(turn_mail, "draw"), answered=1)

    def test_an_address_counts_as_foreign_after_players_have_changed_seats(self, table, turn_mail, attack):
        own, other = awaited(table), next(seat for seat in table.seats if not seat.awaited_since)
        users = own.user_id, other.user_id
        Seat.objects.filter(pk=own.pk).update(user=None)
        Seat.objects.filter(pk=other.pk).update(user=users[0])
        Seat.objects.filter(pk=own.pk).update(user=users[1])
        attack(MailResult.FOREIGN, reply(turn_mail, "draw"), answered=1)

    def test_a_deleted_players_address_counts_as_foreign(self, table, turn_mail, attack):
        reader_of(table).delete()
        attack(MailResult.FOREIGN, reply(turn_mail, "draw"))

    def test_a_closed_accounts_address_counts_as_foreign(self, table, turn_mail, attack):
        user = reader_of(table)
        user.is_active = False
        user.save()
        attack(MailResult.FOREIGN, reply(turn_mail, "draw"))

    def test_a_reply_address_from_the_players_old_mailbox_counts_as_foreign(self, table, turn_mail, attack):
        user = reader_of(table)
        user.email = "elsewhere@example.org"
        user.save()
        attack(MailResult.FOREIGN, reply(turn_mail, "draw"))


class TestSenders:
    @pytest.mark.parametrize(
        "written", ["mallory@example.org", "", "ann@example.org.evil.example", '"x" <m@x.example>']
    )
    def test_the_sender_check_rejects_other_senders(self, table, turn_mail, attack, written):
        user = reader_of(table)
        user.checks_sender = True
        user.save()
        attack(MailResult.WRONG_SENDER, reply(turn_mail, "draw", From=written), answered=1)

    def test_the_sender_check_ignores_case(self, table, turn_mail):
        user = reader_of(table)
        user.checks_sender = True
        user.save()
        exchange(reply(turn_mail, "draw", From=f"Me <{user.email.upper()}>"))
        assert Move.objects.count() == 1

    def test_without_the_sender_check_any_sender_is_accepted(self, table, turn_mail):
        exchange(reply(turn_mail, "draw", From="work@example.net"))
        assert Move.objects.count() == 1


class TestContents:
    def test_a_large_message_counts_as_oversized(self, turn_mail, attack):
        mail = reply(turn_mail, "draw")
        mail.add_attachment(b"x" * LARGEST, maintype="image", subtype="jpeg")
        attack(MailResult.OVERSIZED, mail, answered=1)

    def test_attachments_are_counted_and_never_opened(self, table, turn_mail, listener):
        mail = reply(turn_mail)
        mail.add_attachment("draw\n", filename="move.txt")
        mail.add_attachment(b"draw", maintype="application", subtype="octet-stream", filename="draw")
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            client.send_message(mail)
        handle_due()
        kept = notification_of(table).replies.get()
        assert (kept.result, kept.attachments, kept.content) == (MailResult.NO_COMMANDS, 2, "")
        assert not Move.objects.exists()

    def test_a_quoted_move_is_not_played(self, table, turn_mail, listener):
        mail = reply(turn_mail, "Am 16.11.2026 um 12:00 schrieb Turnpost:", "> draw")
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            client.send_message(mail)
        handle_due()
        assert not Move.objects.exists()

    def test_a_command_cannot_act_in_another_match(self, table, turn_mail):
        other = running_match(seats=2)
        exchange(reply(turn_mail, "draw", Subject=f"Re: {other.match.id}", X_Match=other.match.id))
        assert load_match(other.match.id).match.turn == 1


class TestLoops:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Auto_Submitted": "auto-replied"},
            {"Auto_Submitted": "auto-generated (vacation)"},
            {"Precedence": "bulk"},
            {"Precedence": "list"},
            {"Precedence": "junk"},
            {"List_Id": "Players <players.example.org>"},
            {"X_Autoreply": "yes"},
            {"Subject": "Out of Office: Your turn"},
        ],
        ids=str,
    )
    def test_automated_mail_is_not_answered(self, turn_mail, attack, headers):
        attack(MailResult.AUTOMATIC, reply(turn_mail, "draw", **headers))

    def test_mail_from_the_null_sender_is_not_answered(self, turn_mail, attack):
        attack(MailResult.AUTOMATIC, reply(turn_mail, "draw"), sender="")

    def test_our_own_email_is_not_answered_if_it_comes_back(self, turn_mail, attack):
        attack(MailResult.AUTOMATIC, turn_mail, to=turn_mail["Reply-To"])


@pytest.mark.parametrize("style", ["position:absolute;inset:-900px", "color:white;color:hwb(0 100% 0%) !important"])
def test_a_move_that_formatting_may_hide_from_its_sender_is_answered_with_a_question(style, table, turn_mail, mailbox):
    answer = reply(turn_mail, "draw")
    answer.set_content(f'<p style="color:black;{style}">draw</p>', subtype="html")
    exchange(answer)
    assert not Move.objects.exists()
    assert "The formatting of your email may hide that line" in said(answers(mailbox)[-1])


class TestFloods:
    def test_replies_to_one_address_are_limited(self, turn_mail, attack, settings):
        settings.RATES = settings.RATES | {"reply": Rate(3, 3600)}
        exchange(*[reply(turn_mail, "board") for _ in range(4)])
        attack(MailResult.FLOOD, *[reply(turn_mail, "draw") for _ in range(5)])

    def test_replies_by_one_player_are_limited(self, table, turn_mail, mailbox, attack, settings):
        settings.RATES = settings.RATES | {"replier": Rate(2, 3600)}
        exchange(*[reply(turn_mail, "board") for _ in range(3)])
        fresh = [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]
        attack(MailResult.FLOOD, *[reply(mail, "draw") for mail in fresh])

    def test_forged_mail_does_not_delay_players_on_the_same_mail_server(self, turn_mail, attack, listener, settings):
        settings.RATES = settings.RATES | {"mail_server": Rate(2, 3600)}
        forged = "reply+" + "q" * 56 + "@play.example.org"
        attack(MailResult.FORGED, *[reply(turn_mail, "draw") for _ in range(2)], to=forged)
        attack(MailResult.FLOOD, *[reply(turn_mail, "draw") for _ in range(3)], to=forged)
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            assert client.send_message(reply(turn_mail, "draw"), to_addrs=[forged, turn_mail["Reply-To"]]) == {}
        handle_due()
        assert Move.objects.count() == 1

    def test_answers_to_mistakes_are_limited(self, turn_mail, attack, settings):
        settings.RATES = settings.RATES | {"mistake": Rate(2, 3600)}
        exchange(*[reply(turn_mail, "Who are you?") for _ in range(3)])
        attack(MailResult.FLOOD, *[reply(turn_mail, "Stop it!") for _ in range(3)])

    def test_forged_mail_is_not_stored(self, turn_mail, attack):
        mails = [reply(turn_mail, "draw") for _ in range(20)]
        attack(MailResult.FORGED, *mails, to="reply+" + "q" * 56 + "@play.example.org")
        assert not notification_rows()


def notification_rows():
    return [notification for notification in Notification.objects.all() if notification.replies.exists()]


def test_the_player_can_still_move_after_all_attacks(table, turn_mail, attack):
    attack(MailResult.FORGED, reply(turn_mail, "draw"), to="reply+" + "q" * 56 + "@play.example.org")
    attack(MailResult.AUTOMATIC, reply(turn_mail, "draw"), sender="")
    exchange(reply(turn_mail, "draw"))
    assert Move.objects.count() == 1
    assert say(table, awaited(load_match(table.match.id)).drawn, "place 1")["turn"] == 3
    assert send(table.match.id, reader_of(table), "draw", 3).status == 200
