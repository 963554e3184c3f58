"""Where mail providers call us: with mail that came for us, and with what became of ours.

django-anymail knows how each provider proves that it is calling. Of a mail it would make a message of its own, though,
and line ends of the original would be others in it, so that a quoted line might look like the player's; we take the
message as it came over the wire, and refuse calls that do not bring it.
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
from inbound.models import MailVerdict
from inbound.parsing import recipients
from inbound.receiving import receive
from notifications import bounces
from notifications.mail.envelope import POSTMARK_WORD

T = TypeVar("T")

MESSAGE_ID = re.compile(r"<(.+)@(.+)>")
MARK = re.compile(r"notification-([0-9a-f]{16})", re.ASCII)
BYTE_BY_BYTE = "latin-1"


@dataclass(frozen=True)
class Brought:
    """A message, and its envelope as far as the provider tells."""

    raw: bytes
    recipient: str
    envelope_from: str | None


class Careful(AnymailBaseWebhookView):
    """What makes no sense is refused like what is forged."""

    def run_validators(self, request: HttpRequest) -> None:
        understood(super().run_validators, request)

    def parse_events(self, request: HttpRequest) -> Any:
        return understood(super().parse_events, request)


def understood(read: Callable[[HttpRequest], T], request: HttpRequest) -> T:
    try:
        return read(request)
    except (AnymailConfigurationError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise AnymailWebhookValidationFailure("A mail provider's call makes no sense") from error


class BringsMail(Careful):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A message is kept before the provider is thanked. Too large a one is dropped, as it would only come again."""
        source = self.esp_name.lower()
        if is_too_large(request):
            AnymailBaseWebhookView.validate_request(self, request)
            counts.count(MailVerdict.OVERSIZED, source)
            return HttpResponse()
        if request.content_type == "multipart/form-data":
            request.encoding = BYTE_BY_BYTE
        self.run_validators(request)
        mail = understood(self.brought, request)
        everybody = [mail.recipient, *recipients(mail.raw)]
        receive(mail.raw, recipients=everybody, envelope_from=mail.envelope_from, source=source)
        return HttpResponse()

    def brought(self, request: HttpRequest) -> Brought:
        raise NotImplementedError


def is_too_large(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isascii() and length.isdigit() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def fields(request: HttpRequest) -> dict[str, str]:
    """A message need not be in UTF-8, which Django expects of such forms."""
    is_plain = request.content_type == "application/x-www-form-urlencoded"
    form = QueryDict(request.body, encoding=BYTE_BY_BYTE) if is_plain else request.POST
    return {name: str(form[name]) for name in form}


class MailgunMail(BringsMail, MailgunBaseWebhookView):
    def brought(self, request: HttpRequest) -> Brought:
        form = fields(request)
        return Brought(form["body-mime"].encode(BYTE_BY_BYTE), form.get("recipient", ""), form.get("sender"))


class PostmarkMail(BringsMail):
    esp_name = "Postmark"

    def brought(self, request: HttpRequest) -> Brought:
        told = json.loads(request.body)
        return Brought(told["RawEmail"].encode(), str(told.get("OriginalRecipient", "")), postmark_sender(told))


def postmark_sender(told: dict[str, Any]) -> str | None:
    """Postmark puts the envelope's sender before all other headers; anywhere else somebody else may have written it."""
    first = next(iter(told.get("Headers", [])), {"Name": ""})
    return str(first["Value"]).strip("<> ") if first["Name"].lower() == "return-path" else None


class SendGridMail(BringsMail):
    esp_name = "SendGrid"

    def brought(self, request: HttpRequest) -> Brought:
        form = fields(request)
        envelope = json.loads(form["envelope"])
        return Brought(form["email"].encode(BYTE_BY_BYTE), str(envelope["to"][0]), str(envelope["from"]))


class MailgunEvents(Careful, MailgunTrackingWebhookView):
    pass


class PostmarkEvents(Careful, PostmarkTrackingWebhookView):
    pass


class SendGridEvents(Careful, SendGridTrackingWebhookView):
    def __init__(self, **kwargs: Any) -> None:
        """Without the warning, at every call, that its makers have no account there any more to try it out."""
        AnymailBaseWebhookView.__init__(self, **kwargs)
        if key := settings.ANYMAIL.get("SENDGRID_TRACKING_WEBHOOK_VERIFICATION_KEY"):
            self.webhook_verification_key = load_der_public_key(b64decode(key))


VIEWS = {
    "mailgun": (MailgunMail, MailgunEvents),
    "postmark": (PostmarkMail, PostmarkEvents),
    "sendgrid": (SendGridMail, SendGridEvents),
}


def patterns(names: Sequence[str]) -> Iterator[URLPattern]:
    """Mailgun sends a message as it came only where the address has "mime" in it."""
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
    """Postmark gives back what we wrote into a header for it."""
    return notification_marked(str(metadata.get(POSTMARK_WORD, "")))


def notification_of(message_id: str) -> int | None:
    """Which notification of ours went out with this Message-ID; some providers tell only one of their own."""
    found = MESSAGE_ID.fullmatch(message_id)
    return notification_marked(found[1]) if found and found[2] == settings.PUBLIC_HOST else None


def notification_marked(mark: str) -> int | None:
    found = MARK.fullmatch(mark)
    return int(found[1], 16) if found else None


urlpatterns = list(patterns(settings.INBOUND_PROVIDERS))
