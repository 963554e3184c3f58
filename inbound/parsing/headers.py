"""Who wrote to whom, from headers that may be broken in every way."""

from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses

RECIPIENT_HEADERS = (
    "To", "Cc", "Delivered-To", "X-Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Forwarded-To",
    "X-Rcpt-To", "Apparently-To", "Resent-To", "Resent-Cc",
)  # fmt: skip
MOST_RECIPIENTS = 100
LONGEST_ADDRESS = 320


def values(message: Message, name: str) -> list[str]:
    return [text(value) for value in message.get_all(name, [])]


def value(message: Message, name: str) -> str:
    return next(iter(values(message, name)), "")


def text(raw: object) -> str:
    """A header's value on one line. Encoded words that make no sense stay as they are."""
    written = str(raw)
    with suppress(LookupError, MessageError, ValueError):
        written = str(make_header(decode_header(written)))
    return " ".join(written.split())


def addresses(message: Message, *names: str) -> list[str]:
    """Addresses are read before anything is decoded: an encoded word may not bring in an address of its own."""
    return [address for address in entries(message, *names) if is_address(address)]


def entries(message: Message, *names: str) -> list[str]:
    """All that is listed, also what is no address."""
    written = [str(value) for name in names for value in message.get_all(name, [])]
    return [address.strip() for _, address in getaddresses(written)]


def is_address(address: str) -> bool:
    local, _, host = address.rpartition("@")
    return bool(local and host) and len(address) <= LONGEST_ADDRESS and address.isprintable() and " " not in address


def sender(message: Message) -> str:
    """Whoever writes with somebody else, or with something that nobody can read, is not known by one of the two."""
    found = entries(message, "From")
    return found[0].lower() if len(found) == 1 and is_address(found[0]) else ""


def recipients(message: Message) -> tuple[str, ...]:
    return tuple(dict.fromkeys(addresses(message, *RECIPIENT_HEADERS)))[:MOST_RECIPIENTS]
