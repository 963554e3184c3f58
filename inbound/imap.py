"""Mail that waits in an IMAP mailbox, where no mail server can bring it to us.

The folder is ours alone: all that is unread in it is fetched, and marked as read once it is in the database. Whatever
breaks in between leaves messages unread, and they are fetched again; one that was kept already is known by its
Message-ID.
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
"""Messages in one visit, so that a worker is not busy with a flooded mailbox for ever."""


class NotFetched(Exception):
    """The mailbox did not do what it was asked for."""


def fetch_unread(is_over: Callable[[], bool] = lambda: False) -> None:
    """All that waits; what cannot be fetched or kept now waits for the next visit."""
    try:
        with mailbox() as connection:
            for uid in unread(connection):
                if is_over():
                    return
                take(connection, uid)
    except (IMAP4.error, NotFetched, OSError) as error:
        logger.warning("The mailbox cannot be read: %s", error)
    except DatabaseError as error:
        logger.warning("Mail stays in the mailbox, as it cannot be kept: %s", error)


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
    """Politely, if the server is still there; a farewell that fails leaves the connection open."""
    with suppress(IMAP4.error, OSError):
        connection.logout()
    with suppress(OSError):
        connection.shutdown()


def log_in(connection: IMAP4, user: str, password: str) -> None:
    """With PLAIN any character can be part of a password; LOGIN is for servers that do not know it."""
    if "AUTH=PLAIN" in connection.capabilities:
        connection.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
    else:
        connection.login(user, password)


def unread(connection: IMAP4) -> list[str]:
    (found, *_) = checked(connection.uid("SEARCH", "UNSEEN UNDELETED"))
    return found.decode().split()[:MOST_AT_ONCE] if isinstance(found, bytes) else []


def take(connection: IMAP4, uid: str) -> None:
    """A message that cannot be dealt with at all must not keep those behind it waiting."""
    try:
        raw = content(connection, uid)
    except NotFetched as error:
        logger.warning("Message %s of the mailbox cannot be fetched: %s", uid, error)
        return
    try:
        receive(raw, recipients=recipients(raw), envelope_from=None, source="imap")
    except DatabaseError:
        raise
    except Exception:
        logger.exception("Message %s of the mailbox could not be kept", uid)
    else:
        checked(connection.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)"))


def content(connection: IMAP4, uid: str) -> bytes:
    """Of what is too large, only as much as shows that it is."""
    answer = checked(connection.uid("FETCH", uid, f"(BODY.PEEK[]<0.{LARGEST + 1}>)"))
    found = next((part[1] for part in answer if isinstance(part, tuple)), None)
    if not isinstance(found, bytes):
        raise NotFetched("It has no content.")
    return found


def checked(answer: tuple[str, Sequence[object]]) -> Sequence[object]:
    status, data = answer
    if status != "OK":
        raise NotFetched(f"The answer was {status}.")
    return data


def quoted(folder: str) -> str:
    return '"{}"'.format(folder.replace("\\", "\\\\").replace('"', '\\"'))


@shared_task(name="inbound.fetch")
def fetch() -> None:
    """The schedule asks for it where a mailbox is configured."""
    fetch_unread(is_stopping)
