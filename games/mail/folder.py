"""Mail into a folder, a file for each, as mail programs can open them: for trying things out without a mail server."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class EmailBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAIL_FOLDER or "")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            put(folder, message.message().as_bytes())
        return len(email_messages)


def put(folder: Path, content: bytes) -> None:
    """Under its own name only when it is whole. Names sort by time."""
    path = folder / f"{timezone.now():%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}.eml"
    draft = path.with_suffix(".part")
    with draft.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
