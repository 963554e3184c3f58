"""Webhooks that mail providers call with received email and delivery events.

django-anymail authenticates each provider's calls. It could also parse the email, but it changes line endings, which
could make a quoted line look like the player's own. We therefore use only the raw message, and refuse calls without it.
"""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from anymail.exceptions import AnymailConfigurationError, AnymailWebhookValidationFailure
from anymail.signals import AnymailTrackingEvent, tracking
from anymail.webhooks.base import AnymailBaseWebhookView
from anymail.webhooks.mailgun import MailgunBaseWebhookView, MailgunTrackingWebhookView
from anymail.webhooks.postmark import PostmarkTrackingWebhookView
from anymail.webhooks.sendgrid import SendGridTrackingWebhookView
from cryptography.hazmat.primitives.serialization import load_der_public_key
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import URLPattern, path

from inbound import counts
from inbound.models import MailResult
from inbound.parsing import recipients
from inbound.receiving import receive
from notifications import bounces
from notifications.mail.envelope import POSTMARK_KEY

T = TypeVar("T")

MESSAGE_ID = re.compile(r"<(.+)@(.+)>")
MARK = re.compile(r"notification-([0-9a-f]{16})", re.ASCII)
BYTE_BY_BYTE = "latin-1"


@dataclass(frozen=True)
class ProviderMail:
    """A raw message, with as much of its envelope as the provider reports."""

    raw: bytes
    recipient: str
    envelope_from: str | None


class StrictWebhookView(AnymailBaseWebhookView):
    """Refuses malformed calls in the same way as forged ones."""

    def run_validators(self, request: HttpRequest) -> None:
        understood(super().run_validators, request)

    def parse_events(self, request: HttpRequest) -> Any:
        return understood(super().parse_events, request)


def understood(read: Callable[[HttpRequest], T], request: HttpRequest) -> T:
    try:
        return read(request)
    except (AnymailConfigurationError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise AnymailWebhookValidationFailure("The mail provider's call is malformed") from error


class ReceivesMail(StrictWebhookView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Store the message before responding.

        Drop a message that is too large, because the provider would otherwise send it again.
        """
        source = self.esp_name.lower()
        if is_too_large(request):
            AnymailBaseWebhookView.validate_request(self, request)
            counts.count(MailResult.OVERSIZED, source)
            return HttpResponse()
        if request.content_type == "multipart/form-data":
            request.encoding = BYTE_BY_BYTE
        self.run_validators(request)
        mail = understood(self.provider_mail, request)
        addresses = [mail.recipient, *recipients(mail.raw)]
        receive(mail.raw, recipients=addresses, envelope_from=mail.envelope_from, source=source)
        return HttpResponse()

    def provider_mail(self, request: HttpRequest) -> ProviderMail:
        raise NotImplementedError


def is_too_large(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isascii() and length.isdigit() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def fields(request: HttpRequest) -> dict[str, str]:
    """Return the fields of the form, decoded byte by byte.

    Django expects UTF-8, but a raw message may be in any encoding.
    """
    is_plain = request.content_type == "application/x-www-form-urlencoded"
    form = QueryDict(request.body, encoding=BYTE_BY_BYTE) if is_plain else request.POST
    return {name: str(form[name]) for name in form}


class MailgunMail(ReceivesMail, MailgunBaseWebhookView):
    def provider_mail(self, request: HttpRequest) -> ProviderMail:
        form = fields(request)
        return ProviderMail(form["body-mime"].encode(BYTE_BY_BYTE), form.get("recipient", ""), form.get("sender"))


class PostmarkMail(ReceivesMail):
    esp_name = "Postmark"

    def provider_mail(self, request: HttpRequest) -> ProviderMail:
        call = json.loads(request.body)
        return ProviderMail(call["RawEmail"].encode(), str(call.get("OriginalRecipient", "")), postmark_sender(call))


def postmark_sender(call: dict[str, Any]) -> str | None:
    """Return the envelope sender.

    Postmark's own Return-Path comes first; the author of the email may have added others.
    """
    first = next(iter(call.get("Headers", [])), {"Name": ""})
    return str(first["Value"]).strip("<> ") if first["Name"].lower() == "return-path" else None


class SendGridMail(ReceivesMail):
    esp_name = "SendGrid"

    def provider_mail(self, request: HttpRequest) -> ProviderMail:
        form = fields(request)
        envelope = json.loads(form["envelope"])
        return ProviderMail(form["email"].encode(BYTE_BY_BYTE), str(envelope["to"][0]), str(envelope["from"]))


class MailgunEvents(StrictWebhookView, MailgunTrackingWebhookView):
    pass


class PostmarkEvents(StrictWebhookView, PostmarkTrackingWebhookView):
    pass


class SendGridEvents(StrictWebhookView, SendGridTrackingWebhookView):
    def __init__(self, **kwargs: Any) -> None:
        """Skip anymail's warning that its SendGrid support is untested, which would otherwise be repeated on every
        call."""
        AnymailBaseWebhookView.__init__(self, **kwargs)
        if key := settings.ANYMAIL.get("SENDGRID_TRACKING_WEBHOOK_VERIFICATION_KEY"):
            self.webhook_verification_key = load_der_public_key(b64decode(key))


VIEWS = {
    "mailgun": (MailgunMail, MailgunEvents),
    "postmark": (PostmarkMail, PostmarkEvents),
    "sendgrid": (SendGridMail, SendGridEvents),
}


def patterns(names: Sequence[str]) -> Iterator[URLPattern]:
    """Return the URLs of these providers. Mailgun sends the raw message only to URLs that end in "mime"."""
    for name in names:
        mail, events = VIEWS[name]
        yield path(f"mail/providers/{name}/mime", mail.as_view())
        yield path(f"mail/providers/{name}/events", events.as_view())


@receiver(tracking)
def note_event(event: AnymailTrackingEvent, **_: Any) -> None:
    bounces.note_event(
        event.event_type,
        event.mta_response or event.description or "",
        reason=event.reject_reason or "",
        notification_id=notification_of(event.message_id or "") or notification_in(event.metadata or {}),
        address=event.recipient or "",
        at=event.timestamp,
    )


def notification_in(metadata: dict[str, Any]) -> int | None:
    """Return the notification ID in the metadata, which Postmark copies from a header that we sent."""
    return notification_marked(str(metadata.get(POSTMARK_KEY, "")))


def notification_of(message_id: str) -> int | None:
    """Return the notification that was sent with this Message-ID. Some providers report only their own IDs."""
    found = MESSAGE_ID.fullmatch(message_id)
    return notification_marked(found[1]) if found and found[2] == settings.PUBLIC_HOST else None


def notification_marked(mark: str) -> int | None:
    found = MARK.fullmatch(mark)
    return int(found[1], 16) if found else None


urlpatterns = list(patterns(settings.INBOUND_PROVIDERS))
