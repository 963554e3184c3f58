"""Receive mail. Every source of mail calls `receive`.

When it returns, the message has been stored or dropped and can be acknowledged. If it raises an exception, nothing was
stored and the message must be delivered again.

From the outside, stored and dropped messages look the same. As a result, a forger learns nothing, and we never send a
refusal to someone whose address was forged.
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
from inbound.models import InboundMail, MailResult
from notifications import archive, reply_addresses
from notifications.models import Notification
from notifications.reply_addresses import AddressContent, Forged

logger = logging.getLogger(__name__)

INBOUND = "inbound"
"""The kind of job that handles received messages."""
LARGEST = 2 * 2**20
"""The size above which messages aren't read, because they can't be moves."""
STEP_OF_SIZES = 4096
"""Sizes are rounded up to a multiple of this number, because the exact size could reveal a sealed move."""
MOST_ADDRESSES = 10
LARGEST_HEADER = 128 * 1024
HEADER_END = re.compile(rb"\r?\n\r?\n")
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,248}>")


@dataclass(frozen=True)
class Arrival:
    """A received message. `envelope_from` is empty for the null sender, and None if the envelope is unknown."""

    raw: bytes
    envelope_from: str | None
    source: str
    is_oversized: bool = False


def receive(
    raw: bytes,
    *,
    recipients: Iterable[str],
    envelope_from: str | None,
    source: str,
    is_cut_off: bool = False,
) -> list[MailResult]:
    """Store the message for each of its recipients that is one of our addresses, and return the results."""
    arrival = Arrival(raw, envelope_from, source, is_cut_off or len(raw) > LARGEST)
    ours = sorted({address.lower() for address in recipients if reply_addresses.is_ours(address)})
    results = [receive_at(address, arrival) for address in ours[:MOST_ADDRESSES]]
    if MailResult.WAITING in results:
        transaction.on_commit(partial(wake, INBOUND))
    return results


def receive_at(address: str, arrival: Arrival) -> MailResult:
    result = keep(address, arrival)
    if result != MailResult.WAITING:
        counts.count(result, arrival.source)
        logger.info("Dropped a message from %s: %s", arrival.source, result)
    return result


def keep(address: str, arrival: Arrival) -> MailResult:
    """Store the message for one address. Return WAITING, or the reason why it wasn't stored."""
    try:
        content = reply_addresses.read(address)
    except Forged:
        return MailResult.FORGED
    notification = archive.find(content.notification_id)
    if notification is None or not is_for_its_reader(notification, content):
        return MailResult.FOREIGN
    problem = problem_with(content, arrival)
    if problem and content.purpose != reply_addresses.Purpose.REPLY:
        return problem
    return keep_for(notification, content, arrival, problem)


def problem_with(content: AddressContent, arrival: Arrival) -> MailResult | None:
    if arrival.is_oversized:
        return MailResult.OVERSIZED
    return MailResult.EXPIRED if content.good_until <= timezone.now() else None


def is_for_its_reader(notification: Notification, content: AddressContent) -> bool:
    """Return whether the recipient of the notification still has this address.

    Bounces always count, because they are about the address, no matter who has it now.
    """
    if content.purpose == reply_addresses.Purpose.BOUNCE:
        return True
    address = notification.user.email if notification.user else notification.email
    return bool(address) and content.was_mailed_to(address)


def keep_for(
    notification: Notification, content: AddressContent, arrival: Arrival, problem: MailResult | None
) -> MailResult:
    """Store a message for a notification.

    A reply counts only once, even if it was sent to several of the player's addresses. If we won't act on it, only its
    header is stored, to tell whether it should be answered.
    """
    message_id = message_id_of(arrival.raw)
    fingerprint = fingerprint_of(message_id, arrival.raw)
    is_reply = content.purpose == reply_addresses.Purpose.REPLY
    whose = {"user": notification.user} if is_reply and notification.user else {"notification": notification}
    same = {"purpose": content.purpose, "fingerprint": fingerprint, **whose}
    if InboundMail.objects.filter(**same).exists():
        return MailResult.DUPLICATE
    if is_flooded(InboundMail.objects.filter(notification=notification, purpose=content.purpose)):
        return MailResult.FLOOD
    now = timezone.now()
    _, is_new = InboundMail.objects.get_or_create(
        **same,
        defaults={
            "notification": notification,
            "user": notification.user,
            "turn": content.turn,
            "reader": content.reader.hex(),
            "message_id": message_id,
            "source": arrival.source,
            "envelope_from": plain(arrival.envelope_from),
            "size": vault.padded_length(len(arrival.raw), STEP_OF_SIZES),
            "content": vault.encrypt(header_of(arrival.raw) if problem else arrival.raw, step=STEP_OF_SIZES),
            "problem": problem or "",
            "received_at": now,
            "due_at": now,
        },
    )
    return MailResult.WAITING if is_new else MailResult.DUPLICATE


def header_of(raw: bytes) -> bytes:
    end = HEADER_END.search(raw[:LARGEST_HEADER])
    return raw[: end.end()] if end else raw[:LARGEST_HEADER]


def fingerprint_of(message_id: str, raw: bytes) -> str:
    """Identify a message by its Message-ID or its content.

    Fingerprints of content are keyed, because they are kept after the content is deleted. Otherwise, someone could work
    out a sealed move by trying all possible moves.
    """
    if message_id:
        return sha256(message_id.encode()).hexdigest()
    return salted_hmac("inbound", common_to_copies(raw), algorithm="sha256").hexdigest()


def is_flooded(mails: QuerySet[InboundMail]) -> bool:
    """Return whether to drop a message. The first message over the limit is kept, so that its answer can mention the
    limit.
    """
    rate: Rate = settings.RATES["reply"]
    return mails.filter(received_at__gt=timezone.now() - timedelta(seconds=rate.seconds)).count() > rate.count


def message_id_of(raw: bytes) -> str:
    """Return the Message-ID, or an empty string if it is missing or invalid."""
    written = str(BytesHeaderParser().parsebytes(raw[:LARGEST_HEADER]).get("Message-ID", ""))
    found = MESSAGE_ID.search(written)
    return found[0] if found else ""


def common_to_copies(raw: bytes) -> bytes:
    """Return the parts of a message that are the same in every copy. Mail servers only add header lines of their
    own."""
    header = BytesHeaderParser().parsebytes(raw[:LARGEST_HEADER])
    end = HEADER_END.search(raw)
    written = "\n".join(str(header.get(name, "")) for name in ("Date", "From", "Subject"))
    return written.encode(errors="replace") + b"\n" + (raw[end.end() :] if end else raw).strip()


def plain(envelope_from: str | None) -> str | None:
    """Remove brackets and unprintable characters from an address. The null sender may arrive as `<>`."""
    if envelope_from is None:
        return None
    return "".join(letter for letter in envelope_from if letter.isprintable()).strip("<> ")[:254]
