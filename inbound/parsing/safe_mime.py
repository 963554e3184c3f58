"""Parse mail with Python's email library, after cutting off input that would take too long to parse."""

from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32

LARGEST = 512 * 1024
"""The number of bytes that are parsed. The text that people write comes before any images."""
MOST_LINES = 20_000
LONGEST_HEADER = 4000
MOST_CONTAINERS = 100
CONTAINERS = (b"boundary", b"message/")
"""A part that contains other parts must contain one of these words."""


class BoundedPolicy(Compat32):
    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:LONGEST_HEADER]


def parse(raw: bytes) -> Message:
    """Parse a message. If it has far too many nested parts, which would take too long, only its headers are parsed."""
    seen = beginning(raw)
    if sum(seen.lower().count(word) for word in CONTAINERS) > MOST_CONTAINERS:
        return parse_headers(raw)
    return message_from_bytes(seen, policy=BoundedPolicy())


def parse_headers(raw: bytes) -> Message:
    headers = beginning(raw).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return BytesHeaderParser(policy=BoundedPolicy()).parsebytes(headers)


def beginning(raw: bytes) -> bytes:
    return b"".join(raw[:LARGEST].splitlines(keepends=True)[:MOST_LINES])
