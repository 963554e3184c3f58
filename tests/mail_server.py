"""A real mail server for tests, which records all mail that it receives."""

import logging
import threading
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from demo.ports import free_port

logging.getLogger("mail.log").setLevel(logging.WARNING)


class RecordingMailServer:
    """Records emails. While `refusal` is set, it refuses every recipient with that response.

    `on_connect` is called at EHLO, and `on_mail` and `on_envelope` are called before an email is accepted.
    """

    def __init__(self) -> None:
        self.arrived: list[EmailMessage] = []
        self.refusal = ""
        self.connections = 0
        self.on_connect: Callable[[], object] = lambda: None
        self.on_mail: Callable[[EmailMessage], object] = lambda _: None
        self.on_envelope: Callable[[Envelope], object] = lambda _: None
        self._changed = threading.Condition()
        self.port = free_port()
        self._server = Controller(self, hostname="127.0.0.1", port=self.port)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()

    def wait_for(self, count: int, seconds: float = 20) -> list[EmailMessage]:
        """Return all emails once `count` of them have arrived.

        After the timeout, return those that have arrived so far.
        """
        with self._changed:
            self._changed.wait_for(lambda: len(self.arrived) >= count, seconds)
            return list(self.arrived)

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.connections += 1
        self.on_connect()
        return responses

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.default)
        self.on_mail(message)
        self.on_envelope(envelope)
        with self._changed:
            self.arrived.append(message)
            self._changed.notify_all()
        return "250 OK"
