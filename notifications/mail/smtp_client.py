"""Send messages to the mail server, and distinguish rejected messages from an unavailable server."""

import logging
import re
import smtplib
from contextlib import suppress
from functools import lru_cache
from types import TracebackType

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.message import sanitize_address

from notifications.mail.folder import FolderError
from notifications.mail.message import Email
from notifications.smtp_replies import is_policy, tidy

logger = logging.getLogger(__name__)

SHUTTING_DOWN = 421
PLAIN_ADDRESS = re.compile(r"[\w.+=-]+@[\w-]+(\.[\w-]+)*", re.ASCII)


class EmailBackend(smtp.EmailBackend):
    """Django's backend, except that our emails aren't passed through the email package."""

    def _send(self, email_message: EmailMessage) -> bool:
        if not isinstance(email_message, Email) or self.connection is None:
            return bool(super()._send(email_message))  # type: ignore[misc]
        sender, *recipients = map(envelope_address, [email_message.from_email, *email_message.recipients()])
        self.connection.sendmail(sender, recipients, email_message.as_bytes())
        return True


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

    def __enter__(self) -> "MailServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._hang_up()

    def send(self, message: EmailMessage) -> None:
        """Send a message. Raise NotAccepted or ServerGone if that fails."""
        try:
            self._connection.open()
        except Exception as error:
            raise ServerGone(describe(error)) from error
        try:
            self._connection.send_messages([message])
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
