"""SMTP or LMTP, for the mail server that brings us replies and bounces.

An address is taken if it has the form of ours. Whether it is genuine is not told: a refusal would help those who guess,
and make the mail server write to whoever the sender pretends to be. A message is in the database before it is
acknowledged; when the database is away, the mail server is asked to come again.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connections

from core.rate_limits import network, seconds_to_wait
from inbound import counts
from inbound.models import MailVerdict
from inbound.receiving import MOST_ADDRESSES, receive
from notifications import reply_addresses

logger = logging.getLogger(__name__)

LARGEST_ACCEPTED = 11 * 2**20
"""More than a mail server passes on by default, so that it never has to send anything back because of us. What is too
large to be a reply is dropped after it has been accepted."""
IDLE = 300
"""Seconds between two commands after which a connection is closed."""
TIME_TO_FINISH = 10
TAKEN, NOT_OURS, TOO_MANY = "250 2.0.0 OK", "550 5.1.1 No such address here", "452 4.5.3 Too many recipients"
COME_AGAIN = "451 4.3.0 Not now, please come again"
GO_ON, TOO_LARGE = "354", ("552", "500 Line too long")
"""How those answers begin that aiosmtpd gives by itself."""


@dataclass(frozen=True)
class Place:
    host: str
    port: int
    is_lmtp: bool = False

    @property
    def protocol(self) -> str:
        return "lmtp" if self.is_lmtp else "smtp"


class Receiver:
    """What aiosmtpd calls. The database is used in threads, as it would hold up all other connections."""

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="receiver")
        self._under_way = 0
        self.is_quiet = asyncio.Event()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not reply_addresses.is_ours(address):
            return NOT_OURS
        if len(envelope.rcpt_tos) >= MOST_ADDRESSES:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        return TAKEN if await self.in_thread(self.keep, envelope, session.peer) else COME_AGAIN

    async def handle_exception(self, error: Exception) -> str:
        """Whatever it is, the mail server should keep the message."""
        logger.error("A connection failed", exc_info=error)
        return COME_AGAIN

    def keep(self, envelope: Envelope, peer: Any) -> bool:
        """What strangers make up is taken in silence, but not for ever. It never stands in the way of players, whose
        mail is brought by the same server."""
        receive(
            bytes(envelope.original_content or b""),
            recipients=[to for to in envelope.rcpt_tos if reply_addresses.is_genuine(to) or self.can_bear(peer)],
            envelope_from=envelope.mail_from or "",
            source=self._protocol,
        )
        return True

    def can_bear(self, peer: Any) -> bool:
        """Whether this mail server has brought no more forgeries than are worth a look."""
        within = not seconds_to_wait("mail_server", network(str(peer[0]) if peer else ""))
        if not within:
            counts.count(MailVerdict.FLOOD, self._protocol)
        return within

    def count_oversized(self) -> bool:
        counts.count(MailVerdict.OVERSIZED, self._protocol)
        return True

    async def in_thread(self, work: Callable[..., bool], *arguments: Any) -> bool:
        return await asyncio.get_running_loop().run_in_executor(self._threads, succeeded, work, *arguments)

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._under_way += 1
        self.is_quiet.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.is_quiet.set()

    async def finish(self) -> None:
        if self._under_way:
            await self.is_quiet.wait()

    def close(self) -> None:
        self._threads.shutdown()


def succeeded(work: Callable[..., bool], *arguments: Any) -> bool:
    """False also if the database is away, or if anything else went wrong."""
    try:
        return work(*arguments)
    except Exception:
        logger.exception("A message could not be kept and must come again")
        return False
    finally:
        connections.close_all()


class Connection(SMTP):
    line_length_limit = LARGEST_ACCEPTED
    event_handler: Receiver

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        with self.event_handler.busy():
            await super().smtp_DATA(arg)

    async def push(self, status: Any) -> None:
        """aiosmtpd refuses what is too large by itself; that is to be counted, too."""
        if str(status).startswith(TOO_LARGE):
            await self.event_handler.in_thread(self.event_handler.count_oversized)
        await super().push(status)


class LocalConnection(Connection, LMTP):
    _answers = 1

    async def push(self, status: Any) -> None:
        """What becomes of a message is told once for each recipient."""
        await super().push("\r\n".join([str(status)] * self._answers))
        self._answers = len(self.envelope.rcpt_tos) if self.envelope and str(status).startswith(GO_ON) else 1


class Listener:
    """Runs in a thread of its own, and is stopped from another."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._receiver = Receiver(place.protocol)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="listener", daemon=True)
        self._server: asyncio.Server | None = None

    def launch(self) -> None:
        """Raises OSError when the port is not free."""
        self._thread.start()
        try:
            self._server = self._run(self._loop.create_server(self._connect, self._place.host, self._place.port))
        except OSError:
            self._end()
            raise
        logger.info("Mail is received by %s at %s:%s", self._place.protocol.upper(), self._place.host, self.port)

    def halt(self) -> None:
        """Takes no more mail, and returns when what is under way has been kept."""
        self._run(self._finish())
        self._end()

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1]) if self._server else 0

    def _connect(self) -> Connection:
        return (LocalConnection if self._place.is_lmtp else Connection)(
            self._receiver,
            data_size_limit=LARGEST_ACCEPTED,
            enable_SMTPUTF8=True,
            ident="Turnpost",
            timeout=IDLE,
            loop=self._loop,
        )

    async def _finish(self) -> None:
        """Whoever has not finished a message in time is cut off without an acknowledgement, and comes again."""
        if self._server:
            self._server.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._receiver.finish(), TIME_TO_FINISH)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _end(self) -> None:
        self._receiver.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
