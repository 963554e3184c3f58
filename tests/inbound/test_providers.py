"""Calls from mail providers are authenticated, and no message they send is lost."""

import base64
import hashlib
import hmac
import json
from unittest.mock import patch
from urllib.parse import parse_qsl

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import OperationalError
from django.test import Client
from django.utils.http import urlencode
from urllib3 import encode_multipart_formdata

from core import vault
from games.models import Move
from inbound import counts, providers
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from inbound.parsing import read
from notifications import bounces
from notifications.mail.envelope import mark, message_id
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from tests.games.builders import running_match
from tests.inbound.corpus import EXPECTED, MAILS
from tests.inbound.letters import reply

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.inbound.provider_urls")]

SECRET, KEY = "turnpost:rosebud", "key-0123456789"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def secrets(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": KEY}


def basic(secret=SECRET):
    return {"authorization": "Basic " + base64.b64encode(secret.encode()).decode()}


def signature(key=KEY, timestamp="1795000000", token="a" * 50):
    signed = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    return {"timestamp": timestamp, "token": token, "signature": signed}


def mailgun(raw, to, key=KEY):
    fields = {"recipient": to, "sender": "ann@example.org", "body-mime": raw, **signature(key)}
    return urlencode(fields).encode(), FORM


def postmark(raw, to, **more):
    told = {
        "OriginalRecipient": to,
        "RawEmail": raw.decode(),
        "Headers": [{"Name": "Return-Path", "Value": "<ann@example.org>"}],
    }
    return json.dumps(told | more).encode(), "application/json"


def sendgrid(raw, to):
    envelope = json.dumps({"from": "ann@example.org", "to": [to]})
    return urlencode({"email": raw, "envelope": envelope}).encode(), FORM


def as_parts(body, kind):
    """Encode the same form as multipart/form-data."""
    return encode_multipart_formdata(
        [(name, value.encode("latin-1")) for name, value in parse_qsl(body.decode(), encoding="latin-1")]
    )


CALLS = {"mailgun": mailgun, "postmark": postmark, "sendgrid": sendgrid}
provider = pytest.mark.parametrize("provider", CALLS)


def call(provider, body, kind, secret=SECRET, where="mime"):
    client = Client(raise_request_exception=False)
    return client.post(
        f"/mail/providers/{provider}/{where}", body, content_type=kind, headers=basic(secret)
    ).status_code


def deliver(provider, mail, to, **how):
    return call(provider, *CALLS[provider](bytes(mail), to), **how)


@provider
def test_a_move_that_arrives_through_a_provider_is_played(provider, turn_mail):
    answer = reply(turn_mail, "draw")
    assert deliver(provider, answer, turn_mail["Reply-To"]) == 200
    kept = InboundMail.objects.get()
    assert (kept.source, kept.envelope_from) == (provider, "ann@example.org")
    assert vault.decrypt(kept.content) == bytes(answer)
    handle_due()
    assert Move.objects.get().source == "mail"


@provider
def test_a_message_sent_twice_is_stored_once_and_acknowledged_twice(provider, turn_mail):
    answer = reply(turn_mail, "draw")
    assert [deliver(provider, answer, turn_mail["Reply-To"]) for _ in range(2)] == [200, 200]
    assert InboundMail.objects.count() == 1


@provider
@pytest.mark.parametrize("secret", ["", ":", "turnpost:guessed", "turnpost", "rosebud", "somebody:rosebud", "ü:ü"])
def test_a_call_without_the_secret_is_refused(provider, turn_mail, secret):
    assert deliver(provider, reply(turn_mail, "draw"), turn_mail["Reply-To"], secret=secret) == 400
    assert not InboundMail.objects.exists()


@pytest.mark.parametrize(
    "forged",
    [
        signature(key="another key"),
        signature() | {"signature": "0" * 64},
        signature() | {"signature": ""},
        signature() | {"timestamp": "1795000001"},
        signature() | {"token": "b" * 50},
        signature() | {"token": "ü"},
        {},
        {"signature": signature()["signature"]},
    ],
)
def test_an_unsigned_mailgun_call_is_refused_even_with_the_secret(turn_mail, forged):
    fields = {
        "recipient": turn_mail["Reply-To"],
        "sender": "ann@example.org",
        "body-mime": bytes(reply(turn_mail, "draw")),
    }
    assert call("mailgun", urlencode(fields | forged).encode(), FORM) == 400
    assert not InboundMail.objects.exists()


@provider
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", FORM),
        (b"email=x&envelope=%7B", FORM),
        (b"email=x&envelope=%5B%5D", FORM),
        (urlencode(signature()).encode(), FORM),
        (b"", "application/json"),
        (b"[]", "application/json"),
        (b'"x"', "application/json"),
        (b'{"RawEmail": 1}', "application/json"),
        (b'{"RawEmail": "\\ud800", "Headers": 5}', "application/json"),
        (b'{"signature": 7}', "application/json"),
        (b"\xff", "application/json"),
    ],
)
def test_a_malformed_call_is_refused(provider, body, kind):
    """This includes calls with a parsed message, in which quotes can't be recognized."""
    assert call(provider, body, kind) == 400
    assert not InboundMail.objects.exists()


@provider
def test_the_provider_retries_if_a_message_cannot_be_stored(provider, turn_mail):
    with patch.object(providers, "receive", side_effect=OperationalError("gone")):
        assert deliver(provider, reply(turn_mail, "draw"), turn_mail["Reply-To"]) == 503
    assert deliver(provider, reply(turn_mail, "draw"), turn_mail["Reply-To"]) == 200
    assert InboundMail.objects.count() == 1


@provider
def test_a_large_call_is_counted_and_acknowledged(provider, turn_mail, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert deliver(provider, reply(turn_mail, "draw", Subject="x" * 2000), turn_mail["Reply-To"]) == 200
    assert deliver(provider, reply(turn_mail, "draw"), turn_mail["Reply-To"], secret="turnpost:guessed") == 400
    assert list(counts.counted(days=1)) == [(provider, MailResult.OVERSIZED, 1)]
    assert not InboundMail.objects.exists()


@pytest.mark.parametrize("provider", ["mailgun", "sendgrid"])
@pytest.mark.parametrize("name", ["line-separators", "unknown-8bit", "lying-charset", "gmail-web-fr", "utf-16-base64"])
def test_a_message_is_stored_unchanged(provider, name):
    with patch.object(providers, "receive") as received:
        assert call(provider, *CALLS[provider](MAILS[name], "reply+x@play.example.org")) == 200
        assert call(provider, *as_parts(*CALLS[provider](MAILS[name], "reply+x@play.example.org"))) == 200
    assert [call.args[0] for call in received.call_args_list] == [MAILS[name], MAILS[name]]
    assert list(read(received.call_args.args[0]).lines) == EXPECTED[name]["lines"]


def test_a_return_path_that_postmark_did_not_add_is_ignored(turn_mail):
    claimed = [{"Name": "Subject", "Value": "x"}, {"Name": "Return-Path", "Value": "ben@example.org"}]
    assert call("postmark", *postmark(bytes(reply(turn_mail, "draw")), turn_mail["Reply-To"], Headers=claimed)) == 200
    assert InboundMail.objects.get().envelope_from is None


@pytest.mark.urls("config.urls")
@provider
def test_without_providers_the_endpoints_do_not_exist(provider):
    assert call(provider, b"", FORM) == 404


class TestDeliveryEvents:
    """`notifications.bounces` handles these delivery events."""

    @pytest.fixture
    def sent(self, turn_mail):
        return Notification.objects.get(kind=NotificationKind.YOUR_TURN)

    def mailgun_event(self, event, message_id, **more) -> tuple[bytes, str]:
        data = {"event": event, "recipient": "ann@example.org", "message": {"headers": {"message-id": message_id}}}
        body = {"signature": signature(), "event-data": data | {"timestamp": 1795000000.5} | more}
        return json.dumps(body).encode(), "application/json"

    def test_a_delivery_is_recorded_in_its_notification(self, sent):
        told = self.mailgun_event("delivered", f"{mark(sent.pk)}@localhost")
        assert call("mailgun", *told, where="events") == 200
        sent.refresh_from_db()
        assert sent.delivery == Delivery.DELIVERED

    def test_a_bounce_event_stops_mail_to_the_address(self, sent):
        status = {"delivery-status": {"message": "550 5.1.1 No such user here"}, "severity": "permanent"}
        told = self.mailgun_event(
            "failed", f"{mark(sent.pk)}@localhost", reason="bounce", recipient=sent.user.email, **status
        )
        assert call("mailgun", *told, where="events") == 200
        sent.refresh_from_db()
        assert sent.delivery == Delivery.BOUNCED
        assert BouncingAddress.objects.get(email=sent.user.email).is_stopped

    def test_an_unsigned_event_changes_nothing(self, sent):
        body, kind = self.mailgun_event("failed", f"{mark(sent.pk)}@localhost")
        assert call("mailgun", body.replace(b'"token": "a', b'"token": "b'), kind, where="events") == 400
        assert call("mailgun", body, kind, where="events", secret="turnpost:guessed") == 400
        sent.refresh_from_db()
        assert sent.delivery == Delivery.SENT

    def test_a_postmark_event_is_matched_by_its_address(self, sent):
        told = {
            "RecordType": "Bounce",
            "Type": "HardBounce",
            "Email": sent.user.email,
            "MessageID": "b7bc2f4a",
            "ID": 4,
        }
        assert (
            call("postmark", json.dumps(told | {"Details": "550 5.1.1"}).encode(), "application/json", where="events")
            == 200
        )
        assert BouncingAddress.objects.get(email=sent.user.email).is_stopped

    def test_a_postmark_event_is_matched_by_its_metadata(self, settings, mailbox):
        settings.INBOUND_PROVIDERS = ["postmark"]
        running_match(seats=2)
        (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
        told = {"RecordType": "Delivery", "Recipient": mail["To"], "MessageID": "b7bc2f4a"}
        told["Metadata"] = {"notification": mail["X-PM-Metadata-notification"]}
        assert call("postmark", json.dumps(told).encode(), "application/json", where="events") == 200
        assert Notification.objects.get(kind=NotificationKind.YOUR_TURN).delivery == Delivery.DELIVERED

    @pytest.mark.parametrize(
        "written", ["", "x", "-1", "17", "9" * 30, "٣" * 16, "notification-12", f"notification-{'f' * 17}"]
    )
    def test_unknown_metadata_matches_no_notification(self, written):
        assert providers.notification_in({"notification": written}) is None

    def test_an_unsigned_event_changes_nothing_if_a_sendgrid_key_is_set(self, sent, settings):
        key = ec.generate_private_key(ec.SECP256R1())
        shown = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        settings.ANYMAIL |= {"SENDGRID_TRACKING_WEBHOOK_VERIFICATION_KEY": base64.b64encode(shown).decode()}
        event = {"email": sent.user.email, "smtp-id": message_id(sent.pk), "timestamp": 1795000000}
        body = json.dumps([event | {"event": "delivered"}]).encode()
        forged = base64.b64encode(key.sign(b"1795000001" + body, ec.ECDSA(SHA256()))).decode()
        genuine = base64.b64encode(key.sign(b"1795000000" + body, ec.ECDSA(SHA256()))).decode()
        assert [self.signed_call(body, signature) for signature in (None, "", "ü", forged)] == [400] * 4
        sent.refresh_from_db()
        assert sent.delivery == Delivery.SENT
        assert self.signed_call(body, genuine) == 200
        assert self.signed_call(body, genuine, secret="turnpost:guessed") == 400
        sent.refresh_from_db()
        assert sent.delivery == Delivery.DELIVERED

    def signed_call(self, body, signature, secret=SECRET):
        named = "X-Twilio-Email-Event-Webhook-"
        proof = {f"{named}Signature": signature, f"{named}Timestamp": "1795000000"} if signature is not None else {}
        client = Client(raise_request_exception=False)
        where = "/mail/providers/sendgrid/events"
        return client.post(where, body, content_type="application/json", headers=basic(secret) | proof).status_code

    def test_one_sendgrid_call_can_contain_many_events(self, sent):
        event = {"email": sent.user.email, "smtp-id": message_id(sent.pk), "timestamp": 1795000000}
        told = [event | {"event": "processed"}, event | {"event": "delivered"}]
        assert call("sendgrid", json.dumps(told).encode(), "application/json", where="events") == 200
        sent.refresh_from_db()
        assert sent.delivery == Delivery.DELIVERED

    def test_an_invalid_notification_id_changes_nothing(self, sent):
        told = self.mailgun_event("delivered", f"notification-{'f' * 16}@localhost")
        assert call("mailgun", *told, where="events") == 200
        sent.refresh_from_db()
        assert sent.delivery == Delivery.SENT

    @pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"event-data": 3}', b"[3]", b'"x"', b"\xff"])
    @provider
    def test_a_malformed_event_changes_nothing(self, provider, body, sent):
        with patch.object(bounces, "record_bounce") as noted:
            assert call(provider, body, "application/json", where="events") in (200, 400)
        noted.assert_not_called()

    @pytest.mark.parametrize(
        "message_id",
        [
            f"<notification-{'1' * 16}@elsewhere.example>",
            "<x@localhost>",
            "<notification-x@localhost>",
            f"<notification-{'g' * 16}@localhost>",
            "",
        ],
    )
    def test_an_unknown_message_id_matches_no_notification(self, message_id):
        assert providers.notification_of(message_id) is None
