"""A mail server that keeps of each mail only which one it was and who got it: a storm brings tens of thousands."""

from email.parser import BytesHeaderParser
from typing import NamedTuple

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.sink import Sink


class Arrived(NamedTuple):
    message_id: str
    address: str


class Doormat(Sink):
    def __init__(self) -> None:
        super().__init__()
        self.lies_there: list[Arrived] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message_id = str(BytesHeaderParser().parsebytes(envelope.content)["Message-ID"])
        self.lies_there += [Arrived(message_id, address) for address in envelope.rcpt_tos]
        return "250 OK"
