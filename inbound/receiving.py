"""Every source of mail calls `receive`. When it returns, the message has been stored or dropped and can be
acknowledged. If it raises, nothing was stored and the message must be delivered again.

From the outside, stored and dropped messages look the same. A forger learns nothing, and we never send a refusal to
someone whose address was forged.
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from email.parser import BytesHeaderParser
from functools import partial
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core import vault
from core.jobs import wake
from core.rates import Rate
from inbound import counts
from inbound.models import InboundMail, MailVerdict
from notifications import reply_addresses
from notifications.models import Notification
from notifications.reply_addresses import Forged, Ticket

logger = logging.getLogger(__name__)

INBOUND = "inbound"
"""The job kind of received messages."""
LARGEST = 2 * 2**20
"""Larger messages are dropped, because they can't be moves."""
STEP_OF_SIZES = 4096
"""Sizes are rounded up to a multiple of this, because the exact size could reveal a sealed move."""
MOST_ADDRESSES = 10
LARGEST_HEADER = 128 * 1024
HEADER_END = re.compile(rb"\r?\n\r?\n")
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,248}>")


@dataclass(frozen=True)
class Arrival:
    """A received message. `envelope_from` is empty for the null sender and None if it is unknown."""

    raw: bytes
    envelope_from: str | None
    source: str


def receive(raw: bytes, *, recipients: Iterable[str], envelope_from: str | None, source: str) -> list[MailVerdict]:
    """Store the message for each of our addresses among its recipients, and return the verdicts."""
    arrival = Arrival(raw, envelope_from, source)
    ours = sorted({address.lower() for address in recipients if reply_addresses.is_ours(address)})
    verdicts = [receive_at(address, arrival) for address in ours[:MOST_ADDRESSES]]
    if MailVerdict.WAITING in verdicts:
        transaction.on_commit(partial(wake, INBOUND))
    return verdicts


def receive_at(address: str, arrival: Arrival) -> MailVerdict:
    verdict = keep(address, arrival)
    if verdict != MailVerdict.WAITING:
        counts.count(verdict, arrival.source)
        logger.info("Dropped a message from %s: %s", arrival.source, verdict)
    return verdict


def keep(address: str, arrival: Arrival) -> MailVerdict:
    """Store the message for one address. Return WAITING, or the reason why it wasn't stored."""
    try:
        ticket = reply_addresses.read(address)
    except Forged:
        return MailVerdict.FORGED
    if len(arrival.raw) > LARGEST:
        return MailVerdict.OVERSIZED
    if ticket.good_until <= timezone.now():
        return MailVerdict.EXPIRED
    notification = Notification.objects.select_related("user").filter(pk=ticket.notification_id).first()
    if notification is None or not is_for_its_reader(notification, ticket):
        return MailVerdict.FOREIGN
    return keep_for(notification, ticket, arrival)


def is_for_its_reader(notification: Notification, ticket: Ticket) -> bool:
    """Return whether the notification's recipient still has this address. Bounces always count, because they are
    about the address, no matter who has it now."""
    if ticket.purpose == reply_addresses.Purpose.BOUNCE:
        return True
    return notification.user is not None and ticket.was_mailed_to(notification.user.email)


def keep_for(notification: Notification, ticket: Ticket, arrival: Arrival) -> MailVerdict:
    """Store a message for a notification. A reply counts once, even if it was sent to several of the player's
    addresses."""
    message_id = message_id_of(arrival.raw)
    fingerprint = fingerprint_of(message_id, arrival.raw)
    is_reply = ticket.purpose == reply_addresses.Purpose.REPLY
    whose = {"user": notification.user} if is_reply else {"notification": notification}
    same = {"purpose": ticket.purpose, "fingerprint": fingerprint, **whose}
    if InboundMail.objects.filter(**same).exists():
        return MailVerdict.DUPLICATE
    if is_flooded(InboundMail.objects.filter(notification=notification, purpose=ticket.purpose)):
        return MailVerdict.FLOOD
    now = timezone.now()
    _, is_new = InboundMail.objects.get_or_create(
        **same,
        defaults={
            "notification": notification,
            "user": notification.user,
            "turn": ticket.turn,
            "reader": ticket.reader.hex(),
            "message_id": message_id,
            "source": arrival.source,
            "envelope_from": plain(arrival.envelope_from),
            "size": vault.padded_length(len(arrival.raw), STEP_OF_SIZES),
            "content": vault.encrypt(arrival.raw, step=STEP_OF_SIZES),
            "received_at": now,
            "due_at": now,
        },
    )
    return MailVerdict.WAITING if is_new else MailVerdict.DUPLICATE


def fingerprint_of(message_id: str, raw: bytes) -> str:
    """Identify a message by its Message-ID or its content. Fingerprints of the content are keyed, because they
    outlive it: otherwise, someone could find out a sealed move by trying all moves."""
    if message_id:
        return sha256(message_id.encode()).hexdigest()
    return salted_hmac("inbound", common_to_copies(raw), algorithm="sha256").hexdigest()


def is_flooded(mails: QuerySet[InboundMail]) -> bool:
    rate: Rate = settings.RATES["reply"]
    return mails.filter(received_at__gt=timezone.now() - timedelta(seconds=rate.seconds)).count() >= rate.count


def message_id_of(raw: bytes) -> str:
    """Return the Message-ID, or an empty string if there is no valid one."""
    written = str(BytesHeaderParser().parsebytes(raw[:LARGEST_HEADER]).get("Message-ID", ""))
    found = MESSAGE_ID.search(written)
    return found[0] if found else ""


def common_to_copies(raw: bytes) -> bytes:
    """Return the parts that no mail server changes. Each server adds header lines of its own."""
    header = BytesHeaderParser().parsebytes(raw[:LARGEST_HEADER])
    end = HEADER_END.search(raw)
    written = "\n".join(str(header.get(name, "")) for name in ("Date", "From", "Subject"))
    return written.encode(errors="replace") + b"\n" + (raw[end.end() :] if end else raw).strip()


def plain(envelope_from: str | None) -> str | None:
    """Remove brackets and unprintable characters from an address. The null sender may arrive as `<>`."""
    if envelope_from is None:
        return None
    return "".join(letter for letter in envelope_from if letter.isprintable()).strip("<> ")[:254]
