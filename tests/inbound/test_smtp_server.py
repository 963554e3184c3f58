"""Mail servers deliver to the listener by SMTP and LMTP, even while the database is down or the listener is
stopping."""

import smtplib
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import DatabaseError

from inbound import receiving, smtp_server
from inbound.handling import handle_due
from inbound.models import InboundMail, MailCount, MailResult
from inbound.receiving import LARGEST, MOST_ADDRESSES
from inbound.smtp_server import LARGEST_ACCEPTED, ListenAddress, Listener
from tests.games.builders import running_match
from tests.inbound.letters import reply
from tests.waiting import until

TOO_LARGE = (b"x" * 70 + b"\r\n") * (LARGEST_ACCEPTED // 72 + 1)
pytestmark = pytest.mark.django_db(transaction=True)
BOUNCES = Path(__file__).parents[1] / "notifications" / "bounces" / "samples"
FORGED = "reply+" + "a" * 56 + "@play.example.org"


@contextmanager
def listening_at(place):
    listener = Listener(place)
    listener.launch()
    try:
        yield listener
    finally:
        listener.halt()


@pytest.fixture
def client(listener):
    with smtplib.SMTP("127.0.0.1", listener.port) as client:
        yield client


def connects(port):
    try:
        smtplib.SMTP("127.0.0.1", port).quit()
    except smtplib.SMTPConnectError:
        return False
    return True


def local(server):
    return smtplib.LMTP("127.0.0.1", server.port, timeout=20)


class TestSmtp:
    def test_a_reply_is_stored_before_it_is_acknowledged(self, client, turn_mail):
        assert client.send_message(reply(turn_mail, "draw")) == {}
        mail = InboundMail.objects.get()
        assert (mail.source, mail.result, mail.envelope_from) == ("smtp", MailResult.WAITING, turn_mail["To"])

    def test_other_addresses_are_refused(self, client):
        for address in ("ann@example.org", "postmaster@example.org", FORGED.replace("play", "elsewhere")):
            client.helo()
            client.mail("ann@example.org")
            assert client.rcpt(address)[0] == 550

    @pytest.mark.parametrize("address", ["postmaster", "Postmaster@play.example.org", "games@play.example.org"])
    def test_mail_to_the_postmaster_and_to_our_sender_is_forwarded_to_the_operator(
        self, client, settings, mail_server, address
    ):
        settings.DEFAULT_FROM_EMAIL, settings.OPERATOR_EMAIL = "Turnpost <games@play.example.org>", "op@example.org"
        client.ehlo()
        assert client.mail("ann@example.org")[0] == 250
        assert client.rcpt(address)[0] == 250
        assert client.data(b"Subject: Help\r\n\r\nHello?\r\n")[0] == 250
        (forwarded,) = mail_server.arrived
        assert forwarded["To"] == "op@example.org"
        assert b"Hello?" in next(forwarded.iter_attachments()).get_content()
        assert not InboundMail.objects.exists()

    def test_mail_to_several_of_our_own_addresses_is_forwarded_once(self, client, settings, mail_server):
        settings.OPERATOR_EMAIL = "op@example.org"
        to = ["postmaster@play.example.org", "postmaster"]
        client.sendmail("ann@example.org", to, b"Subject: Help\r\n\r\nHello?\r\n")
        assert [mail["To"] for mail in mail_server.arrived] == ["op@example.org"]

    def test_mail_is_not_forwarded_to_an_operator_whose_address_leads_back_here(self, client, settings, mail_server):
        settings.OPERATOR_EMAIL = "Postmaster@play.example.org"
        client.sendmail("ann@example.org", ["postmaster@play.example.org"], b"Subject: Help\r\n\r\nHello?\r\n")
        assert mail_server.arrived == []

    def test_a_client_may_speak_lmtp_on_the_same_port(self, listener, turn_mail):
        with local(listener) as client:
            assert client.send_message(reply(turn_mail, "draw")) == {}
        assert InboundMail.objects.count() == 1

    def test_a_forged_address_is_accepted_like_a_genuine_one(self, client, turn_mail):
        answers = []
        for address in (turn_mail["Reply-To"], FORGED):
            client.ehlo()
            answers.append([client.mail("ann@example.org"), client.rcpt(address), client.data(b"\r\ndraw\r\n")])
        assert answers[0] == answers[1]
        assert InboundMail.objects.count() == 1

    def test_a_message_with_the_null_sender_is_accepted(self, client, turn_mail):
        client.send_message(reply(turn_mail, "draw"), from_addr="")
        assert InboundMail.objects.get().envelope_from == ""

    def test_a_bounce_stops_further_mail_to_the_address(self, client, mail_server, mailbox):
        returns_to = {}
        mail_server.on_envelope = lambda envelope: returns_to.update({envelope.rcpt_tos[0]: envelope.mail_from})
        running_match(seats=2)
        (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
        client.sendmail("", [returns_to[mail["To"]]], (BOUNCES / "postfix_unknown_user.eml").read_bytes())
        handle_due()
        kept = InboundMail.objects.get()
        assert (kept.purpose, kept.result, kept.content) == ("bounce", MailResult.BOUNCE, "")
        assert kept.notification.delivery == "bounced"

    def test_the_number_of_recipients_is_limited(self, client):
        client.ehlo()
        client.mail("ann@example.org")
        assert [client.rcpt(FORGED)[0] for _ in range(MOST_ADDRESSES + 1)] == [250] * MOST_ADDRESSES + [452]

    def test_a_message_above_the_smtp_limit_is_refused_and_counted(self, client, turn_mail):
        with pytest.raises(smtplib.SMTPSenderRefused) as refused:
            client.sendmail("ann@example.org", [turn_mail["Reply-To"]], TOO_LARGE)
        assert refused.value.smtp_code == 552
        assert until(lambda: MailCount.objects.filter(result=MailResult.OVERSIZED).exists())

    def test_a_message_larger_than_announced_is_refused(self, client, turn_mail):
        client.helo()
        client.mail("ann@example.org")
        client.rcpt(turn_mail["Reply-To"])
        assert client.data(TOO_LARGE)[0] == 552
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.noop()
        assert MailCount.objects.get().result == MailResult.OVERSIZED

    def test_a_very_long_line_is_accepted(self, client, turn_mail):
        client.sendmail("ann@example.org", [turn_mail["Reply-To"]], b"Subject: x\r\n\r\ndraw\r\n" + b"x" * 50_000)
        assert InboundMail.objects.count() == 1

    def test_a_message_that_is_too_large_for_a_reply_is_accepted_but_not_read(self, client, turn_mail):
        client.sendmail("ann@example.org", [turn_mail["Reply-To"]], b"draw\r\n" * (LARGEST // 6 + 1))
        handle_due()
        assert MailCount.objects.get().result == MailResult.OVERSIZED

    def test_the_mail_server_is_asked_to_retry_if_there_are_too_many_connections(self, client, listener, monkeypatch):
        monkeypatch.setattr(smtp_server, "MOST_CONNECTIONS", 1)
        with pytest.raises(smtplib.SMTPConnectError) as refused:
            smtplib.SMTP("127.0.0.1", listener.port)
        assert refused.value.smtp_code == 421
        client.quit()
        assert until(lambda: connects(listener.port), 10)

    def test_one_connection_can_deliver_many_messages(self, client, turn_mail):
        for _ in range(3):
            client.send_message(reply(turn_mail, "board"))
        assert InboundMail.objects.count() == 3


class TestLmtp:
    def test_each_recipient_gets_its_own_response(self, turn_mail):
        with listening_at(ListenAddress("127.0.0.1", 0, is_lmtp=True)) as server, local(server) as mda:
            mda.ehlo_or_helo_if_needed()
            mda.mail("ann@example.org")
            assert [mda.rcpt(turn_mail["Reply-To"])[0], mda.rcpt(FORGED)[0]] == [250, 250]
            assert mda.data(bytes(reply(turn_mail, "draw")))[0] == 250
            assert mda.getreply()[0] == 250
            assert mda.noop()[0] == 250
        assert InboundMail.objects.get().source == "lmtp"

    def test_a_large_message_is_refused_for_each_recipient_and_counted_once(self, turn_mail):
        with listening_at(ListenAddress("127.0.0.1", 0, is_lmtp=True)) as server, local(server) as mda:
            mda.ehlo_or_helo_if_needed()
            mda.mail("ann@example.org")
            assert [mda.rcpt(turn_mail["Reply-To"])[0], mda.rcpt(FORGED)[0]] == [250, 250]
            assert mda.data(TOO_LARGE)[0] == 552
            assert mda.getreply()[0] == 552
        assert MailCount.objects.values_list("result", "count").get() == (MailResult.OVERSIZED, 1)

    def test_an_endless_line_is_refused_as_too_large(self, turn_mail):
        with listening_at(ListenAddress("127.0.0.1", 0, is_lmtp=True)) as server, local(server) as mda:
            mda.ehlo_or_helo_if_needed()
            mda.mail("ann@example.org")
            assert [mda.rcpt(turn_mail["Reply-To"])[0], mda.rcpt(FORGED)[0]] == [250, 250]
            assert mda.data(b"x" * (LARGEST_ACCEPTED + 1))[0] == 552
            assert mda.getreply()[0] == 552
        assert MailCount.objects.values_list("result", "count").get() == (MailResult.OVERSIZED, 1)

    def test_the_lmtp_listener_does_not_speak_smtp(self):
        with (
            listening_at(ListenAddress("127.0.0.1", 0, is_lmtp=True)) as server,
            smtplib.SMTP("127.0.0.1", server.port) as mta,
        ):
            assert mta.ehlo()[0] == 500


class TestFailures:
    def test_the_mail_server_is_asked_to_retry_while_the_database_is_down(self, client, turn_mail, monkeypatch):
        def gone(*_, **__):
            raise DatabaseError("gone")

        theirs = reply(turn_mail, "draw")
        with monkeypatch.context() as patch:
            patch.setattr(receiving, "keep", gone)
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.send_message(theirs)
        assert refused.value.smtp_code == 451
        client.send_message(theirs)
        assert InboundMail.objects.count() == 1

    def test_a_message_in_transit_is_stored_and_acknowledged_before_the_listener_stops(self, turn_mail, monkeypatch):
        begun, may_go_on = threading.Event(), threading.Event()
        keep = receiving.keep

        def slowly(*arguments):
            begun.set()
            may_go_on.wait(20)
            return keep(*arguments)

        monkeypatch.setattr(receiving, "keep", slowly)
        server = Listener(ListenAddress("127.0.0.1", 0))
        server.launch()
        with smtplib.SMTP("127.0.0.1", server.port) as client:
            sending = threading.Thread(target=client.send_message, args=(reply(turn_mail, "draw"),))
            sending.start()
            assert begun.wait(20)
            stopping = threading.Thread(target=server.halt)
            stopping.start()
            may_go_on.set()
            sending.join(20)
            stopping.join(20)
            assert not sending.is_alive()
            assert not stopping.is_alive()
            client.close()
        assert InboundMail.objects.count() == 1

    def test_a_port_that_is_already_in_use_is_reported_immediately(self, listener):
        with pytest.raises(OSError, match="in use"):
            Listener(ListenAddress("127.0.0.1", listener.port)).launch()

    def test_addresses_are_not_logged(self, client, turn_mail, caplog):
        client.send_message(reply(turn_mail, "draw"))
        client.sendmail("x@example.org", [FORGED], b"\r\ndraw")
        token = turn_mail["Reply-To"].partition("@")[0]
        assert token not in caplog.text
