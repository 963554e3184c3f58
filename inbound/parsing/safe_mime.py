"""Mail is parsed with the library that Python has, which is patient: what would keep it busy is cut off first."""

from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32

LARGEST = 512 * 1024
"""Bytes that are looked at: what people write is at the beginning, and pictures come behind it."""
MOST_LINES = 20_000
LONGEST_HEADER = 4000
MOST_CONTAINERS = 100
CONTAINERS = (b"boundary", b"message/")
"""Words without which no part can hold others."""


class Cautious(Compat32):
    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:LONGEST_HEADER]


def parse(raw: bytes) -> Message:
    """Parts in parts in parts take long to find: where they are more than a person's mail has, only headers count."""
    seen = beginning(raw)
    if sum(seen.lower().count(word) for word in CONTAINERS) > MOST_CONTAINERS:
        return parse_headers(raw)
    return message_from_bytes(seen, policy=Cautious())


def parse_headers(raw: bytes) -> Message:
    headers = beginning(raw).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return BytesHeaderParser(policy=Cautious()).parsebytes(headers)


def beginning(raw: bytes) -> bytes:
    return b"".join(raw[:LARGEST].splitlines(keepends=True)[:MOST_LINES])
