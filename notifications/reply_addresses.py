"""Signed addresses. Replies to a notification go to `reply+…`, and its bounces go to `bounce+…`.

An address says what it allows and is signed, so nothing is stored. Addresses use base32, because mail servers
may change the case of letters. Their fields have a fixed width, so that each address has exactly one spelling.
"""

import re
import struct
from base64 import b32decode, b32encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


class Purpose(StrEnum):
    REPLY = "reply"
    BOUNCE = "bounce"


GOOD_FOR = {Purpose.REPLY: timedelta(days=60), Purpose.BOUNCE: timedelta(days=14)}
"""How long addresses are valid. Players may reply after a vacation, but mail servers give up after a few days."""

PARTS = struct.Struct(">Q I 3s 3s")
SIGNATURE = 17
"""The length of the signature in bytes (136 bits). The total is a multiple of five bytes, so base32 needs no
padding."""
FORM = re.compile(rf"(reply|bounce)\+([a-z2-7]{{{(PARTS.size + SIGNATURE) * 8 // 5}}})@(.+)", re.IGNORECASE | re.ASCII)


class Forged(Exception):
    """Raised if an address looks like one of ours but has no valid signature."""


@dataclass(frozen=True)
class AddressContent:
    """The content of an address: the notification, the turn it showed, the recipient and the expiration time.

    The user, match and seat of a notification never change.
    """

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
    """Return the address for replies, or an empty string if the service doesn't receive replies."""
    return issue(Purpose.REPLY, notification_id, turn, email, now)


def bounce_address(notification_id: int, email: str, now: datetime) -> str:
    """Return the address for bounces, or an empty string if the service doesn't receive replies."""
    return issue(Purpose.BOUNCE, notification_id, 0, email, now)


def issue(purpose: Purpose, notification_id: int, turn: int, email: str, now: datetime) -> str:
    if not settings.REPLY_DOMAIN:
        return ""
    return AddressContent(purpose, notification_id, turn, reader(email), now + GOOD_FOR[purpose]).address


def is_ours(address: str) -> bool:
    """Return whether an address looks like ours.

    Only its form is checked, so that outsiders can't find out which addresses are valid.
    """
    found = FORM.fullmatch(address)
    return bool(found and settings.REPLY_DOMAIN and found[3].lower() == settings.REPLY_DOMAIN)


def read(address: str) -> AddressContent:
    """Read the content of an address. Raise Forged if the signature is invalid."""
    found = FORM.fullmatch(address)
    if not found:
        raise Forged
    purpose, content = Purpose(found[1].lower()), b32decode(found[2].upper())
    parts, signed = content[: PARTS.size], content[PARTS.size :]
    if not constant_time_compare(signed, signature(purpose, parts)):
        raise Forged
    notification_id, turn, hours, who = PARTS.unpack(parts)
    good_until = datetime.fromtimestamp(int.from_bytes(hours) * 3600, UTC)
    return AddressContent(purpose, notification_id, turn, who, good_until)


def is_genuine(address: str) -> bool:
    """Return whether we issued an address, even if it has expired. Only the signature is checked, without a query."""
    try:
        read(address)
    except Forged:
        return False
    return True


def is_mark_of(mark: str, email: str) -> bool:
    """Return whether an address with this stored hash was sent to this mailbox."""
    return constant_time_compare(mark, reader(email).hex())


def signature(purpose: Purpose, parts: bytes) -> bytes:
    return salted_hmac(f"notifications.reply_addresses.{purpose}", parts, algorithm="sha256").digest()[:SIGNATURE]


def reader(email: str) -> bytes:
    """Return a short hash of a mailbox.

    It shows whether a player has changed their address since, which invalidates emails in the old mailbox.
    """
    return hashed_mailbox(email, settings.SECRET_KEY)


@lru_cache(maxsize=4096)
def hashed_mailbox(email: str, secret: str) -> bytes:
    """Cache the hash, because every link in an email contains it."""
    return salted_hmac("notifications.reader", email, secret, algorithm="sha256").digest()[:3]
