"""Mail into a folder, a file for each, as mail programs can open them: for trying things out without a mail server."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class NoRoom(OSError):
    """The folder takes no mail now, whichever it is: the disk is full, or not ours."""


class EmailBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAIL_FOLDER or "")
        with told_in_words():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            put(folder, message.message().as_bytes())
        return len(email_messages)


def put(folder: Path, content: bytes) -> None:
    """Under its own name only when it is whole, and not at all when it cannot be. Names sort by time."""
    path = folder / f"{timezone.now():%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}.eml"
    draft = path.with_suffix(".part")
    with told_in_words():
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
def told_in_words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NoRoom(f"The mail folder cannot be written: {error.strerror}.") from error
