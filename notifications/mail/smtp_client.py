"""Send messages to the mail server, and distinguish rejected messages from an unavailable server.

The server takes a while to accept a message. Meanwhile, the worker can write the next one.
"""

import logging
import re
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import TracebackType
from typing import cast

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.message import sanitize_address

from notifications.mail.folder import FolderError
from notifications.mail.message import Email
from notifications.smtp_replies import is_policy, tidy

logger = logging.getLogger(__name__)

ACCEPTED, SHUTTING_DOWN, GO_AHEAD = 250, 421, 354
SENDER_ACCEPTED, RECIPIENT_ACCEPTED, CONTENT_WANTED = (ACCEPTED,), (ACCEPTED, 251), (GO_AHEAD,)
EXPECTED = (SENDER_ACCEPTED, RECIPIENT_ACCEPTED, CONTENT_WANTED)
START_OF_DOT = re.compile(rb"^\.", re.MULTILINE)
PLAIN_ADDRESS = re.compile(r"[\w.+=-]+@[\w-]+(\.[\w-]+)*", re.ASCII)


class EmailBackend(smtp.EmailBackend):
    """Django's backend, except that our emails aren't passed through the email package."""

    def _send(self, email_message: EmailMessage) -> bool:
        if not isinstance(email_message, Email):
            return bool(super()._send(email_message))  # type: ignore[misc]
        self.start(email_message)
        self.finish()
        return True

    def start(self, email: Email) -> None:
        """Send an email over the open connection, without waiting for the server to accept it."""
        sender, recipient = map(envelope_address, [email.from_email, *email.recipients()])
        start(self._opened, sender, recipient, email.as_bytes())

    def finish(self) -> None:
        """Wait until the server accepts the email. Raise SMTPDataError if it rejects it."""
        code, words = self._opened.getreply()
        if code != ACCEPTED:
            give_up(self._opened, code)
            raise smtplib.SMTPDataError(code, words)

    @property
    def _opened(self) -> smtplib.SMTP:
        return cast("smtplib.SMTP", self.connection)


def start(connection: smtplib.SMTP, sender: str, recipient: str, content: bytes) -> None:
    """Do the same as smtplib's `sendmail`, but send all commands at once if the server allows that (RFC 2920), and
    leave the response to the content unread."""
    connection.ehlo_or_helo_if_needed()
    size = f" size={len(content)}" if connection.has_extn("size") else ""
    commands = [f"MAIL FROM:{in_brackets(sender)}{size}", f"RCPT TO:{in_brackets(recipient)}", "DATA"]
    replies = responses(connection, commands)
    for (code, words), expected in zip(replies, EXPECTED, strict=False):
        if code in expected:
            continue
        if replies[-1][0] == GO_AHEAD:
            connection.send(b".\r\n")  # The server waits for content although it has refused an earlier command.
            connection.getreply()
        give_up(connection, code)
        if expected is RECIPIENT_ACCEPTED:
            raise smtplib.SMTPRecipientsRefused({recipient: (code, words)})
        if expected is SENDER_ACCEPTED:
            raise smtplib.SMTPSenderRefused(code, words, sender)
        raise smtplib.SMTPDataError(code, words)
    quoted = START_OF_DOT.sub(b"..", content)
    connection.send(quoted + b"\r\n" * (not quoted.endswith(b"\r\n")) + b".\r\n")


def in_brackets(address: str) -> str:
    """Write an address the way SMTP does, without line breaks, which would begin another command."""
    if PLAIN_ADDRESS.fullmatch(address):
        return f"<{address}>"
    return smtplib.quoteaddr(address.partition("\r")[0].partition("\n")[0])


def responses(connection: smtplib.SMTP, commands: Sequence[str]) -> list[tuple[int, bytes]]:
    """Send commands, and return the responses. There may be fewer, if the server refuses a command."""
    is_pipelined = connection.has_extn("pipelining")
    if is_pipelined:
        connection.send("".join(f"{command}\r\n" for command in commands))
    replies: list[tuple[int, bytes]] = []
    for command, expected in zip(commands, EXPECTED, strict=True):
        if not is_pipelined:
            connection.putcmd(command)
        replies.append(connection.getreply())
        code = replies[-1][0]
        if code == SHUTTING_DOWN or not (is_pipelined or code in expected):
            break
    return replies


def give_up(connection: smtplib.SMTP, code: int) -> None:
    """Prepare the connection for the next email after one was rejected."""
    if code == SHUTTING_DOWN:
        connection.close()
        return
    with suppress(smtplib.SMTPServerDisconnected):
        connection.rset()


@lru_cache(maxsize=64)
def envelope_address(address: str) -> str:
    return address if PLAIN_ADDRESS.fullmatch(address) else sanitize_address(address, "utf-8")


class ServerGone(Exception):
    """Raised if the server can't be reached or refuses us, so that other messages would fail as well."""


class NotAccepted(Exception):
    """Raised if the server rejects this message, permanently if `for_good` is set.

    If it rejected the address, `about_address` is its response.
    """

    def __init__(self, why: str, *, for_good: bool = False, about_address: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.for_good = for_good
        self.about_address = about_address


class MailServer:
    """A connection that is used for many messages. It is reopened if the server closes it."""

    def __init__(self) -> None:
        self._connection = get_connection()
        self._is_accepting = False

    def __enter__(self) -> "MailServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._hang_up()

    def send(self, message: EmailMessage) -> None:
        """Send a message. Raise NotAccepted or ServerGone if that fails. Call `wait` before sending the next one."""
        try:
            self._connection.open()
        except Exception as error:
            raise ServerGone(describe(error)) from error
        with self._readable_errors():
            if isinstance(self._connection, EmailBackend) and isinstance(message, Email):
                self._connection.start(message)
                self._is_accepting = True
            else:
                self._connection.send_messages([message])

    def wait(self) -> None:
        """Wait until the server has accepted the last message. Raise NotAccepted if it rejects it."""
        if self._is_accepting and isinstance(self._connection, EmailBackend):
            self._is_accepting = False
            with self._readable_errors():
                self._connection.finish()

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        try:
            yield
        except smtplib.SMTPRecipientsRefused as error:
            code, words = next(iter(error.recipients.values()))
            said, for_good = answer(code, words), code >= 500
            why, about = f"The mail server rejected the address: {said}", said if for_good else ""
            raise NotAccepted(why, for_good=for_good, about_address=about) from error
        except smtplib.SMTPResponseException as error:
            raise self._refused(error) from error
        except FolderError as error:
            raise ServerGone(str(error)) from error
        except Exception as error:
            self._hang_up()
            raise NotAccepted(describe(error) if isinstance(error, OSError) else unsendable(error)) from error

    def _refused(self, error: smtplib.SMTPResponseException) -> NotAccepted:
        """Return the error for a rejected message. A rejected sender is a configuration error, so it isn't
        permanent."""
        if error.smtp_code == SHUTTING_DOWN:
            self._hang_up()
        for_good = error.smtp_code >= 500 and isinstance(error, smtplib.SMTPDataError)
        said = answer(error.smtp_code, error.smtp_error)
        about = said if for_good and is_policy(said) else ""
        return NotAccepted(f"The mail server rejected the email: {said}", for_good=for_good, about_address=about)

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._connection.close()


def unsendable(error: Exception) -> str:
    """Report an error that is caused by the message, not by the server."""
    logger.error("Couldn't send a message", exc_info=error)
    return f"Turnpost couldn't send this email ({type(error).__name__})."


def describe(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"The mail server responded: {answer(error.smtp_code, error.smtp_error)}"
    return f"Can't reach the mail server: {error}"


def answer(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {tidy(text)}"
