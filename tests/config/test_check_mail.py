"""`manage.py check_mail` works with a real mail server for outgoing mail and our listener for incoming mail."""

import socketserver
from threading import Thread
from typing import ClassVar

import dns.message
import dns.rcode
import dns.rdatatype
import dns.resolver
import dns.rrset
import pytest
from django.core.management import CommandError, call_command

from inbound.models import InboundMail
from inbound.smtp_server import ListenAddress, Listener
from notifications.models import Notification

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]
DOMAIN = "play.example.org"


@pytest.fixture(autouse=True)
def reply_domain(settings):
    settings.REPLY_DOMAIN = DOMAIN
    settings.DEFAULT_FROM_EMAIL = f"Turnpost <post@{DOMAIN}>"


RECORDS = {
    (DOMAIN, "MX"): "10 mail.example.org.",
    (DOMAIN, "TXT"): '"v=spf1 ip4:192.0.2.1 -all"',
    (f"_dmarc.{DOMAIN}", "TXT"): '"v=DMARC1; p=quarantine"',
    (f"key1._domainkey.{DOMAIN}", "TXT"): '"v=DKIM1; k=rsa; p=MIGf"',
}


class NameServer(socketserver.BaseRequestHandler):
    """A name server that knows only the records in `known`."""

    known: ClassVar[dict[tuple[str, str], str]] = {}

    def handle(self):
        data, socket = self.request
        query = dns.message.from_wire(data)
        (question,) = query.question
        name, kind = question.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(question.rdtype)
        response = dns.message.make_response(query)
        if (name, kind) in self.known:
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, self.known[name, kind]))
        else:
            response.set_rcode(dns.rcode.NXDOMAIN)
        socket.sendto(response.to_wire(), self.client_address)


@pytest.fixture(autouse=True)
def name_server(monkeypatch):
    """Use our own name server on loopback. Tests change its records."""
    records = dict(RECORDS)
    monkeypatch.setattr(NameServer, "known", records)
    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), NameServer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.server_address[1]
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        yield records
        server.shutdown()


@pytest.fixture
def round_trip(settings):
    """Send our mail straight to our own listener."""
    listener = Listener(ListenAddress("127.0.0.1", 0))
    listener.launch()
    settings.EMAIL_BACKEND = "notifications.mail.smtp_client.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", listener.port
    yield
    listener.halt()


def test_an_email_that_comes_back_shows_that_mail_works(round_trip, capsys):
    call_command("check_mail", "--seconds", "20")
    assert "Mail works in both directions." in capsys.readouterr().out
    assert not Notification.objects.exists()
    assert not InboundMail.objects.exists()


def test_an_email_that_does_not_come_back_is_reported(mail_server):
    with pytest.raises(CommandError, match="didn't come back"):
        call_command("check_mail", "--seconds", "0.5")
    assert len(mail_server.arrived) == 1


def test_a_missing_reply_domain_is_reported(settings):
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="TURNPOST_REPLY_DOMAIN"):
        call_command("check_mail")


class TestRecords:
    def output(self, capsys, *options):
        call_command("check_mail", "--seconds", "20", *options)
        return capsys.readouterr().out

    def test_all_records_are_looked_up(self, round_trip, capsys):
        told = self.output(capsys, "--dkim-selector", "key1")
        assert all(f"{name} has a " in told for name, _ in RECORDS)
        assert "Mail works in both directions." in told

    def test_without_a_selector_the_key_is_not_looked_up(self, round_trip, capsys):
        assert "--dkim-selector" in self.output(capsys)

    @pytest.mark.parametrize("missing", RECORDS, ids=" ".join)
    def test_a_missing_record_is_reported(self, round_trip, name_server, missing):
        del name_server[missing]
        with pytest.raises(CommandError, match=f"^{missing[0]} has no .* record. "):
            call_command("check_mail", "--seconds", "20", "--dkim-selector", "key1")

    def test_the_domain_of_the_envelope_sender_needs_spf_too(self, round_trip, settings, name_server, capsys):
        settings.DEFAULT_FROM_EMAIL = "Turnpost <post@example.org>"
        name_server["example.org", "TXT"] = '"v=spf1 -all"'
        name_server["_dmarc.example.org", "TXT"] = '"v=DMARC1; p=reject"'
        del name_server[DOMAIN, "TXT"]
        with pytest.raises(CommandError, match=f"^{DOMAIN} has no v=spf1 record"):
            call_command("check_mail", "--seconds", "20")

    def test_a_subdomain_inherits_the_dmarc_record_of_its_parent(self, round_trip, name_server, capsys):
        del name_server[f"_dmarc.{DOMAIN}", "TXT"]
        name_server["_dmarc.example.org", "TXT"] = '"v=DMARC1; p=reject"'
        assert "_dmarc.example.org has a v=DMARC1 record." in self.output(capsys)
