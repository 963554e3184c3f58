"""The calls of mail providers have size limits, which the production web server enforces over HTTP."""

from http.client import HTTPConnection

import pytest
from django.conf import settings

from core import vault
from inbound import counts
from inbound.models import InboundMail, MailResult
from inbound.receiving import LARGEST
from tests.inbound.conftest import DOMAIN
from tests.inbound.letters import reply
from tests.inbound.test_providers import CALLS, KEY, SECRET, as_parts, basic
from tests.workers import service_process

pytestmark = pytest.mark.django_db(transaction=True)
OPEN_TO_PROVIDERS = {
    "TURNPOST_REPLY_DOMAIN": DOMAIN,
    "INBOUND_PROVIDERS": ",".join(CALLS),
    "INBOUND_WEBHOOK_SECRET": SECRET,
    "INBOUND_MAILGUN_KEY": KEY,
}


@pytest.fixture
def post(mail_server, tmp_path):
    with service_process(mail_server.port, tmp_path, **OPEN_TO_PROVIDERS) as (_, port):

        def send(path, body, kind):
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", path, body, {"Content-Type": kind, **basic()})
            status = connection.getresponse().status
            connection.close()
            return status

        yield send


def filled(mail, size, sign):
    raw = bytes(mail) + b"\r\n"
    return raw + sign * ((size - len(raw)) // len(sign))


@pytest.mark.slow
def test_the_largest_allowed_message_is_accepted_in_every_encoding(post, turn_mail):
    """Percent-encoding triples the size of a message."""
    for provider in ("mailgun", "sendgrid"):
        raw = filled(reply(turn_mail, "help"), LARGEST, "ÿ".encode("latin-1"))
        body, kind = CALLS[provider](raw, turn_mail["Reply-To"])
        assert len(body) > 2.5 * LARGEST
        assert post(f"/mail/providers/{provider}/mime", body, kind) == 200
        assert size_kept() == len(raw)
        raw = filled(reply(turn_mail, "help"), LARGEST, b"x")
        assert post(f"/mail/providers/{provider}/mime", *as_parts(*CALLS[provider](raw, turn_mail["Reply-To"]))) == 200
        assert size_kept() == len(raw)
    raw = filled(reply(turn_mail, "help"), LARGEST, "é".encode())
    assert post("/mail/providers/postmark/mime", *CALLS["postmark"](raw, turn_mail["Reply-To"])) == 200
    assert size_kept() == len(raw)


def size_kept():
    """Return the content of the last message."""
    return len(vault.decrypt(InboundMail.objects.latest("pk").content))


def test_a_larger_message_is_counted_and_acknowledged(post, turn_mail):
    raw = filled(reply(turn_mail, "draw"), settings.DATA_UPLOAD_MAX_MEMORY_SIZE, b"x")
    for provider in CALLS:
        body, kind = CALLS[provider](raw, turn_mail["Reply-To"])
        assert post(f"/mail/providers/{provider}/mime", body, kind) == 200
    assert sorted(counts.counted(days=1)) == [(provider, MailResult.OVERSIZED, 1) for provider in sorted(CALLS)]
    assert not InboundMail.objects.exists()


def test_other_endpoints_have_a_lower_limit(post):
    for path in ("/api/v1/login", "/admin/login/", "/nowhere"):
        assert post(path, b"x" * (settings.PAGE_LIMIT + 1), "application/x-www-form-urlencoded") == 413
    assert post("/api/v1/login", b"x" * (settings.BODY_LIMIT + 1), "application/json") == 413
