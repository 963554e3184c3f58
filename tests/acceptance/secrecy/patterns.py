"""Number random IDs in the order in which they first appear, so that worlds with different IDs can be compared.

Only random IDs are replaced. A leaked counter would not be replaced, so the worlds would differ.
"""

import re
from base64 import b32decode, urlsafe_b64decode
from typing import Any

from notifications.models import RANDOM_BITS
from notifications.reply_addresses import PARTS, SIGNATURE
from tests.acceptance.secrecy.sandbox import Ids

ADDRESS = re.compile(rf"(reply|bounce)\+([a-z2-7]{{{(PARTS.size + SIGNATURE) * 8 // 5}}})")
CURSOR = re.compile(r"cursor=([\w-]+)%3A[\w-]+%3A[\w-]+")
LENGTH = re.compile(r"\('Content-Length', '\d+'\)")
SIGNATURE_OF_CALL = re.compile(r"v1=[0-9a-f]{64}")
BOUNDARY = re.compile(r"\b[0-9a-f]{24}\b")
"""The random boundary between the parts of an email."""
ID = re.compile(r"\b(?:(?P<hexadecimal>[0-9a-f]{16})|(?P<decimal>\d{1,19}))\b")


def patterns(seen: dict[str, Any]) -> dict[str, str]:
    order: dict[int, str] = {}

    def replaced(found: re.Match[str]) -> str:
        readings = [int(found[0], 16)] if found["hexadecimal"] else []
        readings += [int(found[0])] if found[0].isdecimal() else []
        number = next((number for number in readings if {number, number % (1 << RANDOM_BITS)} & Ids.drawn), None)
        return found[0] if number is None else order.setdefault(number, f"#{len(order)}")

    return {place: ID.sub(replaced, decoded(repr(what))) for place, what in seen.items()}


def decoded(text: str) -> str:
    """Decode the readable parts of addresses and cursors, and remove signatures, lengths and boundaries."""
    opened = CURSOR.sub(lambda found: urlsafe_b64decode(found[1] + "==").decode(), text)
    return BOUNDARY.sub("", LENGTH.sub("", SIGNATURE_OF_CALL.sub("", ADDRESS.sub(open_address, opened))))


def open_address(found: re.Match[str]) -> str:
    number, *others = PARTS.unpack(b32decode(found[2].upper())[: PARTS.size])
    return f"{found[1]}+{number:016x} {others}"
