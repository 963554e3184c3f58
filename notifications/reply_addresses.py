"""Addresses that we hand out: `reply+…` answers one notification, `bounce+…` is where its mail returns to.

What an address allows is signed into it, so none is stored. It is in base32, as mail servers may change the case of
letters, and each part has a fixed width, so that an address can be spelt in one way only.
"""

import re
import struct
from base64 import b32decode, b32encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


class Purpose(StrEnum):
    REPLY = "reply"
    BOUNCE = "bounce"


GOOD_FOR = {Purpose.REPLY: timedelta(days=60), Purpose.BOUNCE: timedelta(days=14)}
"""A reply may come after a vacation; a mail server gives up after some days."""

PARTS = struct.Struct(">Q I 3s 3s")
SIGNATURE = 17
"""Bytes: 136 bits, and the whole is a multiple of five bytes, which base32 spells without padding."""
FORM = re.compile(rf"(reply|bounce)\+([a-z2-7]{{{(PARTS.size + SIGNATURE) * 8 // 5}}})@(.+)", re.IGNORECASE | re.ASCII)


class Forged(Exception):
    """It looks like one of our addresses, and we never wrote it."""


@dataclass(frozen=True)
class Ticket:
    """What an address says: which notification it belongs to, on which turn it was written, to whom, and until when it
    is good. A notification belongs to one user, match and seat for ever."""

    purpose: Purpose
    notification_id: int
    turn: int
    reader: bytes
    good_until: datetime

    def was_mailed_to(self, email: str) -> bool:
        return constant_time_compare(self.reader, reader(email))

    @property
    def address(self) -> str:
        hours = int(self.good_until.timestamp()) // 3600
        parts = PARTS.pack(self.notification_id, self.turn, hours.to_bytes(3), self.reader)
        token = b32encode(parts + signature(self.purpose, parts)).decode().lower()
        return f"{self.purpose}+{token}@{settings.REPLY_DOMAIN}"


def reply_address(notification_id: int, turn: int, email: str, now: datetime) -> str:
    """Empty where replies are not received."""
    return issue(Purpose.REPLY, notification_id, turn, email, now)


def bounce_address(notification_id: int, email: str, now: datetime) -> str:
    """Empty where replies are not received."""
    return issue(Purpose.BOUNCE, notification_id, 0, email, now)


def issue(purpose: Purpose, notification_id: int, turn: int, email: str, now: datetime) -> str:
    if not settings.REPLY_DOMAIN:
        return ""
    return Ticket(purpose, notification_id, turn, reader(email), now + GOOD_FOR[purpose]).address


def is_ours(address: str) -> bool:
    """By its form alone: whether it is genuine is told to nobody outside."""
    found = FORM.fullmatch(address)
    return bool(found and settings.REPLY_DOMAIN and found[3].lower() == settings.REPLY_DOMAIN)


def read(address: str) -> Ticket:
    """Of an address that is ours by its form. Raises Forged."""
    found = FORM.fullmatch(address)
    if not found:
        raise Forged
    purpose, content = Purpose(found[1].lower()), b32decode(found[2].upper())
    parts, signed = content[: PARTS.size], content[PARTS.size :]
    if not constant_time_compare(signed, signature(purpose, parts)):
        raise Forged
    notification_id, turn, hours, who = PARTS.unpack(parts)
    good_until = datetime.fromtimestamp(int.from_bytes(hours) * 3600, UTC)
    return Ticket(purpose, notification_id, turn, who, good_until)


def is_genuine(address: str) -> bool:
    """Whether we wrote it, whatever it is worth by now. Told by its signature, so the database is not asked."""
    try:
        read(address)
    except Forged:
        return False
    return True


def is_mark_of(mark: str, email: str) -> bool:
    """Whether a ticket with this mark, as it was kept, went to this mailbox."""
    return constant_time_compare(mark, reader(email).hex())


def signature(purpose: Purpose, parts: bytes) -> bytes:
    return salted_hmac(f"notifications.reply_addresses.{purpose}", parts, algorithm="sha256").digest()[:SIGNATURE]


def reader(email: str) -> bytes:
    """Enough to tell that a player has another address now: mail in the old box is worth nothing any more."""
    return salted_hmac("notifications.reader", email, algorithm="sha256").digest()[:3]
