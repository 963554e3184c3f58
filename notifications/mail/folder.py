"""Write each email to an .eml file in a folder, for trying Turnpost without a mail server."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class FolderError(OSError):
    """Raised if the folder isn't writable."""


class EmailBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAIL_FOLDER or "")
        with folder_errors():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            put(folder, message.message().as_bytes())
        return len(email_messages)


def put(folder: Path, content: bytes) -> None:
    """Write the email under a temporary name first, so that every .eml file is complete.

    The file names sort by time.
    """
    path = folder / f"{timezone.now():%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}.eml"
    draft = path.with_suffix(".part")
    with folder_errors():
        try:
            write(draft, content)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        draft.rename(path)


def write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def folder_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FolderError(f"Can't write to the mail folder: {error.strerror}.") from error
