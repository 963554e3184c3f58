"""The mail server, as senders see it: it takes a message, refuses it, or is gone."""

import logging
import smtplib
from contextlib import suppress
from types import TracebackType

from django.core.mail import EmailMessage, get_connection

from notifications.mail.folder import NoRoom
from notifications.smtp_replies import tidy

logger = logging.getLogger(__name__)

SHUTTING_DOWN = 421


class ServerGone(Exception):
    """It cannot be reached or will not talk to us now: there is no sense in trying the next message."""


class NotAccepted(Exception):
    """It did not take this message; `for_good` when it never will. `about_address` are its words where the address is
    what it would not take."""

    def __init__(self, why: str, *, for_good: bool = False, about_address: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.for_good = for_good
        self.about_address = about_address


class MailServer:
    """One connection for many messages, opened for the first and again when the server has hung up."""

    def __init__(self) -> None:
        self._connection = get_connection()

    def __enter__(self) -> "MailServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._hang_up()

    def send(self, message: EmailMessage) -> None:
        """Returns when the server has said OK; raises NotAccepted or ServerGone."""
        try:
            self._connection.open()
        except Exception as error:
            raise ServerGone(describe(error)) from error
        try:
            self._connection.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            code, words = next(iter(error.recipients.values()))
            said, for_good = answer(code, words), code >= 500
            why, about = f"The address was refused: {said}", said if for_good else ""
            raise NotAccepted(why, for_good=for_good, about_address=about) from error
        except smtplib.SMTPResponseException as error:
            raise self._refused(error) from error
        except NoRoom as error:
            raise ServerGone(str(error)) from error
        except Exception as error:
            self._hang_up()
            raise NotAccepted(describe(error) if isinstance(error, OSError) else unsendable(error)) from error

    def _refused(self, error: smtplib.SMTPResponseException) -> NotAccepted:
        """A refused sender is a fault in our settings, which somebody will mend."""
        if error.smtp_code == SHUTTING_DOWN:
            self._hang_up()
        for_good = error.smtp_code >= 500 and isinstance(error, smtplib.SMTPDataError)
        return NotAccepted(f"The mail was refused: {answer(error.smtp_code, error.smtp_error)}", for_good=for_good)

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._connection.close()


def unsendable(error: Exception) -> str:
    """What lies in the message, not in the server."""
    logger.error("A message cannot be sent", exc_info=error)
    return f"It could not be sent: {type(error).__name__}."


def describe(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"The mail server answered: {answer(error.smtp_code, error.smtp_error)}"
    return f"The mail server cannot be reached: {error}"


def answer(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {tidy(text)}"
