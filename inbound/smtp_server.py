"""An SMTP or LMTP server to which a mail server delivers replies and bounces.

The server accepts every address that looks like ours, even if the signature is wrong. A refusal would help people who
guess addresses, and would make the mail server send a bounce to a forged sender. A message is acknowledged only after
it has been stored. If the database is down, the mail server is asked to try again later.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections

from core.rate_limits import network, seconds_to_wait
from inbound import counts
from inbound.models import MailResult
from inbound.receiving import LARGEST, LARGEST_HEADER, MOST_ADDRESSES, receive
from inbound.smtp_content import Content, Pool
from notifications import reply_addresses

logger = logging.getLogger(__name__)

LARGEST_ACCEPTED = 11 * 2**20
"""The maximum size that is accepted. It exceeds the defaults of mail servers, so that they never send a bounce because
of us. Messages that are too large to be replies are accepted and dropped."""
IDLE = 300
"""How many seconds a connection may stay idle before it is closed."""
TIME_TO_FINISH = 10
TAKEN, NOT_OURS, TOO_MANY = "250 2.0.0 OK", "550 5.1.1 No such address here", "452 4.5.3 Too many recipients"
TRY_AGAIN = "451 4.3.0 Temporarily unavailable, please try again later"
GO_ON, TOO_LARGE = "354 End data with <CR><LF>.<CR><LF>", "552 5.3.4 Message too large"
TOO_BUSY = b"421 4.3.2 Too many connections, please try again later\r\n"
MOST_CONNECTIONS = 100
MOST_HELD = 32 * 2**20
"""The maximum total size in bytes of unfinished messages on all connections."""


@dataclass(frozen=True)
class ListenAddress:
    host: str
    port: int
    is_lmtp: bool = False

    @property
    def protocol(self) -> str:
        return "lmtp" if self.is_lmtp else "smtp"


class Receiver:
    """The handler that aiosmtpd calls.

    Database queries run in threads, so that other connections don't have to wait.
    """

    def __init__(self, protocol: str) -> None:
        self._protocol = protocol
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="receiver")
        self._under_way = 0
        self.connections: set[SMTP] = set()
        self.pool = Pool(MOST_HELD)
        self.is_quiet = asyncio.Event()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not (reply_addresses.is_ours(address) or is_for_operators(address)):
            return NOT_OURS
        if len(envelope.rcpt_tos) >= MOST_ADDRESSES:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def store(self, envelope: Envelope, session: Session, *, is_cut_off: bool) -> str:
        return TAKEN if await self.in_thread(self.keep, envelope, session.peer, is_cut_off) else TRY_AGAIN

    async def handle_exception(self, error: Exception) -> str:
        """Ask the mail server to keep the message and try again."""
        logger.error("SMTP connection failed", exc_info=error)
        return TRY_AGAIN

    def keep(self, envelope: Envelope, peer: Any, is_cut_off: bool) -> bool:
        """Store the message.

        Mail to forged addresses is limited per mail server. Genuine replies are never limited, because they come from
        the same server.
        """
        raw = bytes(envelope.original_content or b"")
        if to_operator := [to for to in envelope.rcpt_tos if is_for_operators(to)]:
            forward_to_operator(raw, to_operator[0], envelope.mail_from or "")
        receive(
            raw,
            recipients=[to for to in envelope.rcpt_tos if reply_addresses.is_genuine(to) or self.is_within_limit(peer)],
            envelope_from=envelope.mail_from or "",
            source=self._protocol,
            is_cut_off=is_cut_off,
        )
        return True

    def is_within_limit(self, peer: Any) -> bool:
        """Return whether this mail server is still within its rate limit for forged addresses."""
        within = not seconds_to_wait("mail_server", network(str(peer[0]) if peer else ""))
        if not within:
            counts.count(MailResult.FLOOD, self._protocol)
        return within

    async def drop_oversized(self) -> str:
        """Accept and drop the message, because a refusal would make the mail server send a bounce to a forged
        sender."""
        return TAKEN if await self.in_thread(self.count_oversized) else TRY_AGAIN

    def count_oversized(self) -> bool:
        counts.count(MailResult.OVERSIZED, self._protocol)
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


def is_for_operators(address: str) -> bool:
    """Return whether an address must be accepted (RFC 5321) or is our own sender address. Mail to it is forwarded to
    the operator, or dropped if no operator is set."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()
    known = {"postmaster", f"postmaster@{settings.REPLY_DOMAIN}"}
    known |= {sender} if sender.endswith(f"@{settings.REPLY_DOMAIN}") else set()
    return address.lower() in known


def forward_to_operator(raw: bytes, address: str, envelope_from: str) -> None:
    """Forward an email, at most a few per hour, and never bounces. If the operator's address is one of these addresses,
    nothing is forwarded, because it would come back here."""
    if not settings.OPERATOR_EMAIL or is_for_operators(settings.OPERATOR_EMAIL) or not envelope_from:
        return
    if seconds_to_wait("mailbox", settings.OPERATOR_EMAIL):
        return
    message = EmailMessage(f"Email to {address}", "This email is attached.", to=[settings.OPERATOR_EMAIL])
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    message.attach("email.eml", raw, "application/octet-stream")
    message.send(fail_silently=True)


def succeeded(work: Callable[..., bool], *arguments: Any) -> bool:
    """Call a function, and return False if the database is down or anything else goes wrong."""
    try:
        return work(*arguments)
    except Exception:
        logger.exception("Could not store a message; the mail server will retry")
        return False
    finally:
        connections.close_all()


class Connection(SMTP):
    """Speaks SMTP, and LMTP with clients that start with LHLO."""

    _is_lmtp = False
    _answers = 1
    event_handler: Receiver
    _content: Content | None = None
    _content_ended: asyncio.Future[None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.event_handler.connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.event_handler.connections.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Collect the content here, because aiosmtpd would create an object for every line."""
        if self._content is None:
            super().data_received(data)
            return
        following = self._content.feed(data)
        self.event_handler.pool.trim()
        if self._content.is_complete or self._content.size > LARGEST_ACCEPTED:
            self._content = None
            if not self._content_ended.done():
                self._content_ended.set_result(None)
            super().data_received(following)

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, hostname: str) -> None:  # noqa: N802
        self._is_lmtp = True
        await SMTP.smtp_EHLO(self, hostname)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        session, envelope = self.session, self.envelope
        if arg or not session or not session.host_name or not envelope or not envelope.rcpt_tos:
            await super().smtp_DATA(arg)
            return
        content = self._content = Content(LARGEST)
        self._content_ended = self.loop.create_future()
        self.event_handler.pool.add(content)
        try:
            with self.event_handler.busy():
                await self.push(GO_ON)
                await self._content_ended
                answer = await self._answer_to(content, session, envelope)
                self.envelope = self._create_envelope()
                await self.push(answer)
                if answer == TOO_LARGE:
                    self._writer.close()
        finally:
            self._content = None
            self.event_handler.pool.remove(content)

    async def _answer_to(self, content: Content, session: Session, envelope: Envelope) -> str:
        if content.size > LARGEST_ACCEPTED:
            return TOO_LARGE
        if content.is_dropped and not content.is_cut_off:
            return TRY_AGAIN
        envelope.original_content = content.message(LARGEST_HEADER if content.is_cut_off else None)
        return await self.event_handler.store(envelope, session, is_cut_off=content.is_cut_off)

    async def push(self, status: Any) -> None:
        """Count messages that aiosmtpd refuses because of their announced size. After the data, LMTP requires one
        response per recipient."""
        if str(status).startswith(TOO_LARGE[:3]):
            await self.event_handler.drop_oversized()
        await super().push("\r\n".join([str(status)] * self._answers))
        is_for_each = self._is_lmtp and self.envelope and status == GO_ON
        self._answers = len(self.envelope.rcpt_tos) if is_for_each and self.envelope else 1


class LocalConnection(Connection, LMTP):
    """Speaks only LMTP."""


class Refusal(asyncio.Protocol):
    """Refuses connections above the limit."""

    def connection_made(self, transport: Any) -> None:
        transport.write(TOO_BUSY)
        transport.close()


class Listener:
    """Runs the server in its own thread. Call its methods from another thread."""

    def __init__(self, address: ListenAddress) -> None:
        self._address = address
        self._receiver = Receiver(address.protocol)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="listener", daemon=True)
        self._server: asyncio.Server | None = None

    def launch(self) -> None:
        """Start listening. Raise OSError if the port is in use."""
        self._thread.start()
        try:
            self._server = self._run(self._loop.create_server(self._connect, self._address.host, self._address.port))
        except OSError:
            self._end()
            raise
        logger.info("Listening for %s on %s:%s", self._address.protocol.upper(), self._address.host, self.port)

    def halt(self) -> None:
        """Stop accepting mail, and return once messages in transit have been stored."""
        self._run(self._finish())
        self._end()

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1]) if self._server else 0

    def _connect(self) -> asyncio.Protocol:
        if len(self._receiver.connections) >= MOST_CONNECTIONS:
            return Refusal()
        return (LocalConnection if self._address.is_lmtp else Connection)(
            self._receiver,
            data_size_limit=LARGEST_ACCEPTED,
            enable_SMTPUTF8=True,
            ident="Turnpost",
            timeout=IDLE,
            loop=self._loop,
        )

    async def _finish(self) -> None:
        """Disconnect clients that don't finish a message in time.

        They get no acknowledgment, so they will try again.
        """
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
