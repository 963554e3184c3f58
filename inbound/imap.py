"""Fetch mail from an IMAP mailbox, for services without a mail server that delivers to them.

The folder must not be used for anything else, because we fetch all unread messages. Those for our addresses are deleted
once they are in the database, because they may contain sealed moves; others are marked as read. If something fails in
between, messages stay unread and are fetched again. Messages that we already have are recognized by their Message-ID.
"""

import logging
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from imaplib import IMAP4, IMAP4_SSL

from celery import shared_task
from django.conf import settings
from django.db import Error as DatabaseError

from core.jobs import is_stopping
from inbound.parsing import recipients
from inbound.receiving import LARGEST, receive

logger = logging.getLogger(__name__)

TIMEOUT = 30
MOST_AT_ONCE = 500
"""The maximum number of messages to fetch at a time, so that a flooded mailbox doesn't block the worker."""


class NotFetched(Exception):
    """Raised if the IMAP server refuses a command."""


def fetch_unread(is_over: Callable[[], bool] = lambda: False) -> None:
    """Fetch and store unread messages. Messages that can't be fetched or stored stay unread until the next attempt."""
    try:
        with mailbox() as connection:
            for uid in unread(connection):
                if is_over():
                    break
                take(connection, uid)
            connection.expunge()
    except (IMAP4.error, NotFetched, OSError) as error:
        logger.warning("Could not read the mailbox: %s", error)
    except DatabaseError as error:
        logger.warning("Could not store a message, so it stays in the mailbox: %s", error)


@contextmanager
def mailbox() -> Iterator[IMAP4]:
    place = settings.INBOUND_IMAP
    connection = connect(place["host"], place["port"], place["security"])
    try:
        if place["security"] == "starttls":
            connection.starttls(ssl.create_default_context())
        log_in(connection, place["user"], place["password"])
        checked(connection.select(quoted(place["folder"])))
        yield connection
    finally:
        leave(connection)


def connect(host: str, port: int, security: str) -> IMAP4:
    if security == "tls":
        return IMAP4_SSL(host, port, ssl_context=ssl.create_default_context(), timeout=TIMEOUT)
    return IMAP4(host, port, timeout=TIMEOUT)


def leave(connection: IMAP4) -> None:
    """Log out if the server still responds, and close the connection either way."""
    with suppress(IMAP4.error, OSError):
        connection.logout()
    with suppress(OSError):
        connection.shutdown()


def log_in(connection: IMAP4, user: str, password: str) -> None:
    """Log in with PLAIN, which allows any character in a password, or with LOGIN on servers that don't support it."""
    if "AUTH=PLAIN" in connection.capabilities:
        connection.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
    else:
        connection.login(user, password)


def unread(connection: IMAP4) -> list[str]:
    (found, *_) = checked(connection.uid("SEARCH", "UNSEEN UNDELETED"))
    return found.decode().split()[:MOST_AT_ONCE] if isinstance(found, bytes) else []


def take(connection: IMAP4, uid: str) -> None:
    """Fetch and store one message. A failure must not block the messages after it."""
    try:
        raw = content(connection, uid)
    except NotFetched as error:
        logger.warning("Could not fetch message %s from the mailbox: %s", uid, error)
        return
    try:
        results = receive(raw, recipients=recipients(raw), envelope_from=None, source="imap")
    except DatabaseError:
        raise
    except Exception:
        logger.exception("Could not store message %s from the mailbox", uid)
    else:
        checked(connection.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen \Deleted)" if results else r"(\Seen)"))


def content(connection: IMAP4, uid: str) -> bytes:
    """Fetch a message, but no more than one byte above the limit, which is enough to tell that it is too large."""
    answer = checked(connection.uid("FETCH", uid, f"(BODY.PEEK[]<0.{LARGEST + 1}>)"))
    found = next((part[1] for part in answer if isinstance(part, tuple)), None)
    if not isinstance(found, bytes):
        raise NotFetched("The message has no content.")
    return found


def checked(answer: tuple[str, Sequence[object]]) -> Sequence[object]:
    status, data = answer
    if status != "OK":
        raise NotFetched(f"The server responded with {status}.")
    return data


def quoted(folder: str) -> str:
    return '"{}"'.format(folder.replace("\\", "\\\\").replace('"', '\\"'))


@shared_task(name="inbound.fetch")
def fetch() -> None:
    """Fetch unread mail. This task is scheduled only if a mailbox is configured."""
    fetch_unread(is_stopping)
