"""A gunicorn worker that receives each request completely before a thread handles it.

The worker's event loop receives requests, so slow clients never occupy a thread. If there are too many connections, the
one that has been sending longest is closed.
"""

import re
import selectors
from collections import deque
from contextlib import suppress
from functools import partial
from socket import SHUT_WR
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, Any

from django.conf import settings
from gunicorn.http import get_parser
from gunicorn.util import close
from gunicorn.workers.gthread import ThreadWorker

CHUNK = 64 * 1024
LARGEST_HEAD = 64 * 1024
IN_MEMORY = 64 * 1024
MOST_RECEIVED = 256 * 2**20
"""The most bytes that a process holds for unfinished large requests."""
LEAVING_SECONDS = 2
MOST_LEAVING = 100
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
FRAMING = re.compile(rb"^(?:content-length|transfer-encoding)[ \t]*:", re.IGNORECASE | re.MULTILINE)
WAITS_FOR_CONSENT = re.compile(rb"^expect[ \t]*:[ \t]*100-continue", re.IGNORECASE | re.MULTILINE)
CONSENT = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: 30\r\n\r\n"


class Incoming:
    """A request that is being received."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.body: IO[bytes] | None = None
        self.expected = 0
        self.received = 0
        self.counted = 0
        """How many bytes it counts toward the limit for large requests."""
        self.is_last = False
        """Whether no other request can follow, because it is unclear where it would begin."""

    def add(self, data: bytes) -> None:
        if self.body is not None:
            self._add_to_body(data)
            return
        before = max(0, len(self.head) - 3)
        self.head += data
        end = self.head.find(END_OF_HEAD, before)
        if end >= 0:
            rest = bytes(self.head[end + len(END_OF_HEAD) :])
            del self.head[end + len(END_OF_HEAD) :]
            length = body_length(bytes(self.head))
            self.expected, self.is_last = length or 0, length is None
            self.body = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
            self._add_to_body(rest)

    def _add_to_body(self, data: bytes) -> None:
        own = data[: self.expected - self.received]
        self.is_last |= len(own) < len(data)
        self.received += len(own)
        if self.body is not None:
            self.body.write(own)

    @property
    def is_complete(self) -> bool:
        return self.body is not None and self.received == self.expected


def body_length(head: bytes) -> int | None:
    """Return the length of the body, or None if it is chunked, too large or contradictory and will be refused."""
    framing, lengths = FRAMING.findall(head), LENGTH.findall(head)
    if not framing:
        return 0
    is_clear = len(framing) == len(lengths) == 1
    return int(lengths[0]) if is_clear and int(lengths[0]) <= largest_body(head) else None


def largest_body(head: bytes) -> int:
    path = head.split(b" ", 2)[1] if head.count(b" ") > 1 else b""
    is_mail = path.startswith(settings.PROVIDERS_PATH.encode())
    return settings.CALL_LIMIT if is_mail else settings.PAGE_LIMIT


class Worker(ThreadWorker):  # type: ignore[misc]
    def init_process(self) -> None:
        self.large = 0
        """The announced size in bytes of all large requests being received."""
        self.leaving: deque[Any] = deque()
        """Connections to close once the client has hung up. Closing them at once could cut off the response."""
        super().init_process()

    def enqueue_req(self, conn: Any) -> None:
        """Called for a new connection, and when the next request on an open one begins."""
        if self.cfg.is_ssl:
            super().enqueue_req(conn)
            return
        conn.incoming = Incoming()
        conn.close = partial(self.close, conn)
        conn.timeout = monotonic() + settings.READ_SECONDS
        conn.sock.setblocking(False)
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.receive, conn))
        if self.nr_conns >= self.worker_connections:
            self.drop(self.pending_conns[0])

    def receive(self, conn: Any, _: Any) -> None:
        incoming = conn.incoming
        had_head = incoming.body is not None
        try:
            data = conn.sock.recv(CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self.drop(conn)
            return
        incoming.add(data)
        if incoming.body is None and len(incoming.head) > LARGEST_HEAD:
            self.drop(conn, TOO_LARGE)
        elif not had_head and incoming.body is not None and not self.accepts(conn):
            self.drop(conn, BUSY)
        elif incoming.is_complete:
            self.stop_receiving(conn)
            super().enqueue_req(conn)

    def accepts(self, conn: Any) -> bool:
        """Return whether there is room for the request. A client that waits for permission is told to send the rest."""
        incoming = conn.incoming
        if incoming.expected > IN_MEMORY:
            if self.large + incoming.expected > MOST_RECEIVED:
                return False
            incoming.counted = incoming.expected
            self.large += incoming.counted
        if not incoming.is_complete and WAITS_FOR_CONSENT.search(incoming.head):
            send(conn, CONSENT)
        return True

    def stop_receiving(self, conn: Any) -> None:
        self.pending_conns.remove(conn)
        self.poller.unregister(conn.sock)
        self.large -= conn.incoming.counted

    def drop(self, conn: Any, answer: bytes = b"") -> None:
        self.stop_receiving(conn)
        self.nr_conns -= 1
        send(conn, answer)
        conn.close()

    def close(self, conn: Any, graceful: bool = False) -> None:
        """Close without waiting for the client to hang up. Gunicorn would wait, and block the event loop."""
        if not graceful:
            close(conn.sock)
            return
        with suppress(OSError):
            conn.sock.shutdown(SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = monotonic() + LEAVING_SECONDS
        self.leaving.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.discard, conn))
        if len(self.leaving) > MOST_LEAVING:
            self.forget(self.leaving[0])

    def discard(self, conn: Any, _: Any) -> None:
        try:
            has_hung_up = not conn.sock.recv(CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            has_hung_up = True
        if has_hung_up:
            self.forget(conn)

    def forget(self, conn: Any) -> None:
        self.leaving.remove(conn)
        self.poller.unregister(conn.sock)
        close(conn.sock)

    def murder_pending(self) -> None:
        """Drop requests that have not arrived in time and, when the worker stops, connections without a request."""
        now = monotonic()
        while self.leaving and self.leaving[0].timeout < now:
            self.forget(self.leaving[0])
        for conn in list(self.pending_conns):
            if conn.timeout < now or not (self.alive or conn.incoming.head):
                self.drop(conn)

    def handle(self, conn: Any) -> Any:
        """Handle a request. The parser gets only what has been received, so it cannot block."""
        if not self.cfg.is_ssl:
            conn.data_ready = True
            conn.parser = get_parser(self.cfg, iter([bytes(conn.incoming.head)]), conn.client)
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        if not self.cfg.is_ssl:
            conn.incoming.body.seek(0)
            req.body = conn.incoming.body
            if conn.incoming.is_last:
                req.force_close()
            conn.sock.settimeout(settings.READ_SECONDS)
        return super().handle_request(req, conn)


def send(conn: Any, answer: bytes) -> None:
    with suppress(OSError):
        conn.sock.send(answer)
