"""What is seen, where numbers are only to tell things apart: each is replaced by when it is first seen.

Only numbers that the service disguised are. Where it lets a counter out, that stays as it is and tells.
"""

import re
from base64 import b32decode, urlsafe_b64decode
from typing import Any

from core.numbers import undisguised

from notifications.reply_addresses import PARTS

MOST_NOTICES = 10_000
ADDRESS = re.compile(r"(reply|bounce)\+([a-z2-7]{48})")
CURSOR = re.compile(r"cursor=([\w-]+)%3A[\w-]+%3A[\w-]+")
LENGTH = re.compile(r"\('Content-Length', '\d+'\)")
"""A number's own length is chance, too."""
NUMBER = re.compile(r"letter-(?P<hexadecimal>[0-9a-f]{10})@|\b(?P<decimal>\d{1,13})\b")


def patterns(seen: dict[str, Any]) -> dict[str, str]:
    order: dict[int, str] = {}

    def replaced(found: re.Match[str]) -> str:
        number = int(found["decimal"]) if found["decimal"] else int(found["hexadecimal"], 16)
        return order.setdefault(number, f"#{len(order)}") if is_disguised(number) else found[0]

    return {place: NUMBER.sub(replaced, laid_open(repr(what))) for place, what in seen.items()}


def is_disguised(number: int) -> bool:
    return number < 2**40 and undisguised(number) <= MOST_NOTICES


def laid_open(text: str) -> str:
    """What anybody can read in an address or a cursor. Its signature tells nothing more."""
    opened = CURSOR.sub(lambda found: urlsafe_b64decode(found[1] + "==").decode(), text)
    return LENGTH.sub("", ADDRESS.sub(open_address, opened))


def open_address(found: re.Match[str]) -> str:
    number, *others = PARTS.unpack(b32decode(found[2].upper())[: PARTS.size])
    return f"{found[1]}+{int.from_bytes(number)} {others}"
