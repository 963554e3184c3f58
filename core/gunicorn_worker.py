"""A gunicorn worker that receives each request completely before a thread handles it.

The worker's event loop receives requests, so slow clients never occupy a thread. If there are too many connections, the
one that has been sending longest is closed. Connections that stay open are spread over all processes.

A thread returns a connection to the event loop without waking it. The loop keeps watching the connection while a
request is handled, and stops only if the client already sends the next one.
"""

import os
import re
import selectors
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from io import BytesIO
from mmap import mmap
from queue import SimpleQueue
from select import select
from socket import SHUT_WR
from tempfile import SpooledTemporaryFile
from time import monotonic, sleep
from typing import IO, Any

from django.conf import settings
from gunicorn.glogging import Logger as GunicornLogger
from gunicorn.http import get_parser
from gunicorn.util import close
from gunicorn.workers.gthread import ThreadWorker

from core import ordinary_requests

CHUNK = 64 * 1024
LARGEST_HEAD = 64 * 1024
IN_MEMORY = 64 * 1024
MOST_RECEIVED = 256 * 2**20
"""The maximum number of bytes that a process holds for unfinished large requests."""
LEAVING_SECONDS = 2
MOST_LEAVING = 100
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
FRAMING = re.compile(rb"^(?:content-length|transfer-encoding)[ \t]*:", re.IGNORECASE | re.MULTILINE)
WAITS_FOR_CONSENT = re.compile(rb"^expect[ \t]*:[ \t]*100-continue", re.IGNORECASE | re.MULTILINE)
MOST_PROCESSES = 64
OPEN = memoryview(mmap(-1, 4 * MOST_PROCESSES)).cast("i")
"""How many connections each process has open, plus 1, or 0 if there is no such process. All processes share this
memory."""
NAP_SECONDS, MOST_NAPS = 0.001, 5
CONSENT = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: 30\r\n\r\n"


class State(Enum):
    """What a connection is doing."""

    RECEIVING = auto()
    HANDLED = auto()
    """A thread handles the request that was received."""
    IDLE = auto()
    """Open, but without a request."""


class Incoming:
    """A request that is being received."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.body: IO[bytes] | None = None
        self.expected = 0
        self.received = 0
        self.counted = 0
        """How many bytes of this request count toward the limit for large requests."""
        self.is_last = False
        """Whether the connection must be closed, because it is unclear where the next request would begin."""

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
            self.body = SpooledTemporaryFile(IN_MEMORY) if self.expected > IN_MEMORY else BytesIO()  # noqa: SIM115
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
    """Return the length of the body.

    Return None if the body is chunked, or if its length is too large or contradictory; such requests are refused.
    """
    framing, lengths = FRAMING.findall(head), LENGTH.findall(head)
    if not framing:
        return 0
    is_clear = len(framing) == len(lengths) == 1
    return int(lengths[0]) if is_clear and int(lengths[0]) <= largest_body(head) else None


def largest_body(head: bytes) -> int:
    path = head.split(b" ", 2)[1] if head.count(b" ") > 1 else b""
    is_mail = path.startswith(settings.PROVIDERS_PATH.encode())
    return settings.CALL_LIMIT if is_mail else settings.PAGE_LIMIT


class Logger(GunicornLogger):  # type: ignore[misc]
    """Prepares access log lines only if the operator has asked for them. core.middleware logs every request anyway."""

    def access(self, *about_request: Any) -> None:
        if self.cfg.accesslog:
            super().access(*about_request)


class Threads:
    """A thread pool without futures, which would take longer than many requests."""

    def __init__(self, count: int) -> None:
        self.work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.count = count
        for _ in range(count):
            threading.Thread(target=self._run, daemon=True).start()

    def submit(self, work: Callable[[], None]) -> None:
        self.work.put(work)

    def shutdown(self, *, wait: bool = False) -> None:
        for _ in range(self.count):
            self.work.put(None)

    def _run(self) -> None:
        while work := self.work.get():
            work()


class Worker(ThreadWorker):  # type: ignore[misc]
    notified = 0.0
    """When the master process was last told that this worker is alive."""

    def get_thread_pool(self) -> Any:
        return super().get_thread_pool() if self.cfg.is_ssl else Threads(self.cfg.threads)

    def init_process(self) -> None:
        self.large = 0
        """The total announced size of all large requests that are being received, in bytes."""
        self.leaving: deque[Any] = deque()
        """Connections that are closed after the client hangs up. Closing them immediately could cut off the
        response."""
        super().init_process()

    def run(self) -> None:
        try:
            super().run()
        finally:
            self.leave()

    def leave(self) -> None:
        """No longer count the connections of this process, which has ended."""
        OPEN[self.age % MOST_PROCESSES] = 0

    def accept(self, listener: Any) -> None:
        """Accept a connection, after giving processes with fewer connections the chance to do so first. Otherwise, one
        process would accept most of the connections that stay open."""
        if any(0 < count <= self.nr_conns for count in OPEN):
            for _ in range(MOST_NAPS):
                sleep(NAP_SECONDS)
                if not select([listener], [], [], 0)[0]:
                    return
        super().accept(listener)
        self.count_connections()

    def count_connections(self) -> None:
        OPEN[self.age % MOST_PROCESSES] = self.nr_conns + 1

    def notify(self) -> None:
        now = monotonic()
        if now - self.notified > 1:
            self.notified = now
            super().notify()

    def enqueue_req(self, conn: Any) -> None:
        """Register a new connection."""
        if self.cfg.is_ssl:
            super().enqueue_req(conn)
            return
        conn.close = partial(self.close, conn)
        conn.sock.settimeout(settings.READ_SECONDS)
        conn.shared = ordinary_requests.constants(self.cfg, conn.client, conn.server)
        conn.is_watched = True
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_data, conn))
        self.expect(conn)

    def on_data(self, conn: Any, _: Any) -> None:
        """Receive data. If a thread still handles the previous request, leave the data for later."""
        if conn.state is State.HANDLED:
            self.stop_watching(conn)
            return
        if conn.state is State.IDLE:
            self.keepalived_conns.remove(conn)
            self.expect(conn)
        self.receive(conn)

    def stop_watching(self, conn: Any) -> None:
        conn.is_watched = False
        self.poller.unregister(conn.sock)
        if conn.state is State.IDLE:  # The thread has finished in the meantime, and may not have noticed.
            self.watch_again(conn)

    def watch_again(self, conn: Any) -> None:
        if not conn.is_watched and conn.state is State.IDLE:
            conn.is_watched = True
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_data, conn))

    def expect(self, conn: Any) -> None:
        """Start waiting for a request.

        If there are too many connections, drop the one that has been sending longest.
        """
        conn.incoming = Incoming()
        conn.state = State.RECEIVING
        conn.timeout = monotonic() + settings.READ_SECONDS
        self.pending_conns.append(conn)
        if self.nr_conns >= self.worker_connections and self.pending_conns[0] is not conn:
            self.drop(self.pending_conns[0])

    def receive(self, conn: Any) -> None:
        incoming = conn.incoming
        had_head = incoming.body is not None
        try:
            data = os.read(conn.sock.fileno(), CHUNK)  # conn.sock.recv would wait until its timeout.
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
            conn.state = State.HANDLED
            conn.variables = ordinary(conn)
            if conn.variables is None:
                self.stop_watching(conn)  # In case of an error, gunicorn closes the connection in the thread.
            self.tpool.submit(partial(self.respond, conn))

    def respond(self, conn: Any) -> None:
        """Handle a request in a thread, and return the connection to the event loop."""
        is_open = False
        with suppress(SystemExit):
            is_open = self.handle(conn)
        if not (is_open and self.alive and conn.is_watched):
            self.method_queue.defer(self.release, conn, is_open)
            return
        conn.set_timeout()
        self.keepalived_conns.append(conn)
        conn.state = State.IDLE
        if not conn.is_watched:
            self.method_queue.defer(self.watch_again, conn)

    def release(self, conn: Any, is_open: bool) -> None:
        """Wait for the next request, or close the connection."""
        try:
            if is_open and self.alive:
                conn.sock.settimeout(settings.READ_SECONDS)
                conn.set_timeout()
                conn.state = State.IDLE
                self.watch_again(conn)
                self.keepalived_conns.append(conn)
                return
            conn.close(graceful=True)
        except (OSError, ValueError):  # The connection was closed while the request was handled.
            close(conn.sock)
        self.nr_conns -= 1

    def accepts(self, conn: Any) -> bool:
        """Return whether there is room for the request.

        If the client is waiting for permission to send the body, grant it.
        """
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
        self.large -= conn.incoming.counted

    def drop(self, conn: Any, answer: bytes = b"") -> None:
        self.stop_receiving(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        send(conn, answer)
        conn.close()

    def close(self, conn: Any, graceful: bool = False) -> None:
        """Close the connection without waiting for the client to hang up.

        Gunicorn would wait and block the event loop.
        """
        if not graceful:
            close(conn.sock)
            return
        with suppress(OSError):
            conn.sock.shutdown(SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = monotonic() + LEAVING_SECONDS
        watch = self.poller.modify if conn.is_watched else self.poller.register
        watch(conn.sock, selectors.EVENT_READ, partial(self.discard, conn))
        self.leaving.append(conn)
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
        """Drop requests that have not arrived in time.

        When the worker stops, also drop connections without a request.
        """
        self.count_connections()
        now = monotonic()
        while self.leaving and self.leaving[0].timeout < now:
            self.forget(self.leaving[0])
        for conn in list(self.pending_conns):
            if conn.timeout < now or not (self.alive or conn.incoming.head):
                self.drop(conn)

    def handle(self, conn: Any) -> Any:
        """Handle a request. The parser gets only data that has already been received, so it cannot block."""
        if not self.cfg.is_ssl:
            if conn.variables is not None:
                return self.handle_ordinary(conn)
            conn.data_ready = True
            conn.parser = get_parser(self.cfg, iter([bytes(conn.incoming.head)]), conn.client)
        return super().handle(conn)

    def handle_ordinary(self, conn: Any) -> bool:
        """Return whether the connection can stay open."""
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False
        is_last = not (self.alive and self.cfg.keepalive and len(self.keepalived_conns) < self.max_keepalived)
        conn.incoming.body.seek(0)
        conn.variables["wsgi.input"] = conn.incoming.body
        try:
            ordinary_requests.respond(self.wsgi, conn.variables, conn.sock, is_last=is_last)
        except OSError as error:
            self.log.debug("The client hung up: %s", error)
            return False
        except Exception as error:  # noqa: BLE001 (gunicorn logs it)
            self.handle_error(None, conn.sock, conn.client, error)
            return False
        return not is_last

    def handle_request(self, req: Any, conn: Any) -> Any:
        if not self.cfg.is_ssl:
            conn.incoming.body.seek(0)
            req.body = conn.incoming.body
            if conn.incoming.is_last:
                req.force_close()
            conn.sock.settimeout(settings.READ_SECONDS)
        return super().handle_request(req, conn)


def ordinary(conn: Any) -> dict[str, Any] | None:
    """Return the variables of an ordinary request, or None if gunicorn has to parse it."""
    if conn.shared is None or conn.incoming.is_last:
        return None
    return ordinary_requests.read(bytes(conn.incoming.head), conn.shared)


def send(conn: Any, answer: bytes) -> None:
    """Send a few bytes without waiting for the client."""
    with suppress(OSError):
        os.write(conn.sock.fileno(), answer)
