"""Each attack on play by mail, over the real listener: nothing changes, nobody is written to, and it is counted."""

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
from inbound.models import MailVerdict
from inbound.receiving import LARGEST
from notifications import reply_addresses
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind
from tests.games.builders import awaited, player, running_match, say, send, sitting
from tests.inbound.letters import exchange, reply

pytestmark = pytest.mark.django_db(transaction=True)


def notification_of(table):
    return Notification.objects.get(match=table.match, kind=NotificationKind.YOUR_TURN)


def reader_of(table):
    return sitting(awaited(load_match(table.match.id)))


@pytest.fixture
def attack(listener, sink):
    """Sends the mails and lets everything happen; then all must be as before, and so often counted."""

    def send(verdict, *mails, to=None, sender="ann@example.org", times=None):
        before, arrived, counted = everything(), len(sink.arrived), counts().get(verdict, 0)
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            for mail in mails:
                client.sendmail(sender, [to or mail["To"]], mail.as_bytes(policy=policy.SMTP))
        handle_due()
        deliver_due()
        assert everything() == before
        assert len(sink.arrived) == arrived
        assert counts()[verdict] - counted == (len(mails) if times is None else times)

    return send


def everything():
    """All that a mail could change."""
    rows = [Move.objects.values_list("match", "number", "content"), Event.objects.values_list("hash")]
    rows += [Message.objects.values_list("text"), Seat.objects.values_list("user", "is_muted", "acted_through")]
    rows += [Notification.objects.values_list("pk", "kind", "user")]
    return [sorted(map(str, some)) for some in rows]


def counts():
    return {verdict: count for _, verdict, count in mail_counts.counted(days=1)}


class TestTokens:
    def test_replayed_the_same_message_once_more(self, turn_mail, attack):
        theirs = reply(turn_mail, "draw")
        exchange(theirs)
        attack(MailVerdict.DUPLICATE, theirs)

    def test_replayed_the_same_address_with_another_message(self, turn_mail, attack):
        exchange(reply(turn_mail, "draw"))
        attack(MailVerdict.REPLAYED, reply(turn_mail, "place 1"), reply(turn_mail, "say I am Ann"))

    def test_replayed_in_a_sealed_round_where_the_turn_is_the_same(self, hush, mailbox, attack):
        running_match("hush", seats=2)
        mail = mailbox()[0]
        exchange(reply(mail, "name 4"))
        attack(MailVerdict.REPLAYED, reply(mail, "name 1"), reply(mail, "withdraw"))

    def test_forged_out_of_thin_air(self, turn_mail, attack):
        attack(MailVerdict.FORGED, reply(turn_mail, "draw"), to="reply+" + "q" * 56 + "@play.example.org")

    def test_forged_by_changing_a_genuine_one(self, turn_mail, attack):
        genuine = turn_mail["Reply-To"]
        for place in (6, 13, 20, 30, 53, 61):
            letter = "b" if genuine[place] == "a" else "a"
            attack(MailVerdict.FORGED, reply(turn_mail, "draw"), to=genuine[:place] + letter + genuine[place + 1 :])

    def test_forged_from_the_address_for_bounces(self, table, turn_mail, attack):
        bounce = reply_addresses.bounce_address(notification_of(table).pk, turn_mail["To"], datetime.now(UTC))
        attack(MailVerdict.FORGED, reply(turn_mail, "draw"), to=bounce.replace("bounce+", "reply+"))

    def test_forged_with_the_key_of_another_service(self, table, turn_mail, attack):
        notification = notification_of(table)
        with override_settings(SECRET_KEY="of another service"):
            theirs = reply_addresses.reply_address(
                notification.pk, notification.turn, turn_mail["To"], datetime.now(UTC)
            )
        attack(MailVerdict.FORGED, reply(turn_mail, "draw"), to=theirs)

    def test_expired(self, table, turn_mail, attack):
        notification, issued = notification_of(table), datetime.now(UTC) - timedelta(days=61)
        old = reply_addresses.reply_address(notification.pk, notification.turn, turn_mail["To"], issued)
        attack(MailVerdict.EXPIRED, reply(turn_mail, "draw"), to=old)

    def test_foreign_after_the_seat_was_handed_over(self, table, turn_mail, attack):
        Seat.objects.filter(match=table.match, user=reader_of(table)).update(user=player("dora"))
        attack(MailVerdict.FOREIGN, reply(turn_mail, "draw"))

    def test_foreign_after_players_have_changed_seats(self, table, turn_mail, attack):
        own, other = awaited(table), next(seat for seat in table.seats if not seat.awaited_since)
        users = own.user_id, other.user_id
        Seat.objects.filter(pk=own.pk).update(user=None)
        Seat.objects.filter(pk=other.pk).update(user=users[0])
        Seat.objects.filter(pk=own.pk).update(user=users[1])
        attack(MailVerdict.FOREIGN, reply(turn_mail, "draw"))

    def test_foreign_of_a_player_who_is_gone(self, table, turn_mail, attack):
        reader_of(table).delete()
        attack(MailVerdict.FOREIGN, reply(turn_mail, "draw"))

    def test_foreign_of_an_account_that_is_closed(self, table, turn_mail, attack):
        user = reader_of(table)
        user.is_active = False
        user.save()
        attack(MailVerdict.FOREIGN, reply(turn_mail, "draw"))

    def test_foreign_in_a_mailbox_that_is_not_the_players_any_more(self, table, turn_mail, attack):
        user = reader_of(table)
        user.email = "elsewhere@example.org"
        user.save()
        attack(MailVerdict.FOREIGN, reply(turn_mail, "draw"))


class TestSenders:
    @pytest.mark.parametrize(
        "written", ["mallory@example.org", "", "ann@example.org.evil.example", '"x" <m@x.example>']
    )
    def test_a_wrong_one_where_the_player_asked_for_the_check(self, table, turn_mail, attack, written):
        user = reader_of(table)
        user.checks_sender = True
        user.save()
        attack(MailVerdict.WRONG_SENDER, reply(turn_mail, "draw", From=written))

    def test_the_right_one_passes_the_check_in_any_case_of_letters(self, table, turn_mail):
        user = reader_of(table)
        user.checks_sender = True
        user.save()
        exchange(reply(turn_mail, "draw", From=f"Me <{user.email.upper()}>"))
        assert Move.objects.count() == 1

    def test_any_other_is_fine_for_those_who_did_not_ask(self, table, turn_mail):
        exchange(reply(turn_mail, "draw", From="work@example.net"))
        assert Move.objects.count() == 1


class TestContents:
    def test_oversized(self, turn_mail, attack):
        mail = reply(turn_mail, "draw")
        mail.add_attachment(b"x" * LARGEST, maintype="image", subtype="jpeg")
        attack(MailVerdict.OVERSIZED, mail)

    def test_attachments_are_counted_and_never_read(self, table, turn_mail, listener):
        mail = reply(turn_mail)
        mail.add_attachment("draw\n", filename="move.txt")
        mail.add_attachment(b"draw", maintype="application", subtype="octet-stream", filename="draw")
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            client.send_message(mail)
        handle_due()
        kept = notification_of(table).replies.get()
        assert (kept.verdict, kept.attachments, kept.content) == (MailVerdict.NO_COMMANDS, 2, "")
        assert not Move.objects.exists()

    def test_a_move_in_what_was_quoted(self, table, turn_mail, listener):
        mail = reply(turn_mail, "Am 16.11.2026 um 12:00 schrieb Turnpost:", "> draw")
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            client.send_message(mail)
        handle_due()
        assert not Move.objects.exists()

    def test_an_order_cannot_be_carried_out_in_another_match(self, table, turn_mail):
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
    def test_what_a_program_wrote(self, turn_mail, attack, headers):
        attack(MailVerdict.AUTOMATIC, reply(turn_mail, "draw", **headers))

    def test_what_has_no_sender(self, turn_mail, attack):
        attack(MailVerdict.AUTOMATIC, reply(turn_mail, "draw"), sender="")

    def test_our_own_mail_that_comes_back(self, turn_mail, attack):
        attack(MailVerdict.AUTOMATIC, turn_mail, to=turn_mail["Reply-To"])


class TestFloods:
    def test_at_one_address(self, turn_mail, attack, settings):
        settings.RATES = settings.RATES | {"reply": Rate(3, 3600)}
        exchange(*[reply(turn_mail, "board") for _ in range(3)])
        attack(MailVerdict.FLOOD, *[reply(turn_mail, "draw") for _ in range(5)])

    def test_by_one_player_at_many_addresses(self, table, turn_mail, mailbox, attack, settings):
        settings.RATES = settings.RATES | {"replier": Rate(2, 3600)}
        exchange(reply(turn_mail, "board"), reply(turn_mail, "board"))
        fresh = [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]
        attack(MailVerdict.FLOOD, *[reply(mail, "draw") for mail in fresh])

    def test_by_strangers_does_not_hold_up_players_whose_mail_comes_by_the_same_server(
        self, turn_mail, attack, listener, settings
    ):
        settings.RATES = settings.RATES | {"mail_server": Rate(2, 3600)}
        forged = "reply+" + "q" * 56 + "@play.example.org"
        attack(MailVerdict.FORGED, *[reply(turn_mail, "draw") for _ in range(2)], to=forged)
        attack(MailVerdict.FLOOD, *[reply(turn_mail, "draw") for _ in range(3)], to=forged)
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            assert client.send_message(reply(turn_mail, "draw"), to_addrs=[forged, turn_mail["Reply-To"]]) == {}
        handle_due()
        assert Move.objects.count() == 1

    def test_of_mistakes(self, turn_mail, attack, settings):
        settings.RATES = settings.RATES | {"mistake": Rate(2, 3600)}
        exchange(*[reply(turn_mail, "Who are you?") for _ in range(2)])
        attack(MailVerdict.FLOOD, *[reply(turn_mail, "Stop it!") for _ in range(3)])

    def test_of_forgeries_keeps_nothing(self, turn_mail, attack):
        mails = [reply(turn_mail, "draw") for _ in range(20)]
        attack(MailVerdict.FORGED, *mails, to="reply+" + "q" * 56 + "@play.example.org")
        assert not notification_rows()


def notification_rows():
    return [notification for notification in Notification.objects.all() if notification.replies.exists()]


def test_after_all_that_the_player_can_still_move(table, turn_mail, attack):
    attack(MailVerdict.FORGED, reply(turn_mail, "draw"), to="reply+" + "q" * 56 + "@play.example.org")
    attack(MailVerdict.AUTOMATIC, reply(turn_mail, "draw"), sender="")
    exchange(reply(turn_mail, "draw"))
    assert Move.objects.count() == 1
    assert say(table, awaited(load_match(table.match.id)).drawn, "place 1")["turn"] == 3
    assert send(table.match.id, reader_of(table), "draw", 3).status == 200
