"""A mail server that records only the Message-ID and the recipient of each email, because there are tens of
thousands."""

from email.parser import BytesHeaderParser
from typing import NamedTuple

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.mail_server import RecordingMailServer


class Arrived(NamedTuple):
    message_id: str
    address: str


class MailCounter(RecordingMailServer):
    def __init__(self) -> None:
        super().__init__()
        self.received: list[Arrived] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message_id = str(BytesHeaderParser().parsebytes(envelope.content)["Message-ID"])
        self.received += [Arrived(message_id, address) for address in envelope.rcpt_tos]
        return "250 OK"
