"""A gunicorn worker that reads each request completely before a thread handles it, so slow clients block no threads."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, Any

from django.conf import settings
from gunicorn.workers.gthread import _DEFER, ThreadWorker

CHECK_SECONDS = 0.25
FIRST_BYTE = 0.05
"""How many seconds a thread waits for the first byte of a new connection before handing it back."""
IN_MEMORY = 2**20
CHUNK = 64 * 1024


class ReadDeadlines:
    """Closes connections whose request has not arrived in time.

    This needs a thread, because a socket timeout would restart with every byte.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: dict[socket.socket, float] = {}
        threading.Thread(target=self._watch, name="read-deadlines", daemon=True).start()

    @contextmanager
    def reading(self, connection: socket.socket) -> Iterator[None]:
        self._until[connection] = monotonic() + self._seconds
        try:
            yield
        finally:
            self.finished(connection)

    def finished(self, connection: socket.socket) -> None:
        self._until.pop(connection, None)

    def _watch(self) -> None:
        pause = threading.Event()
        while not pause.wait(CHECK_SECONDS):
            now = monotonic()
            for connection, until in list(self._until.items()):
                if until < now:
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)


class Worker(ThreadWorker):  # type: ignore[misc]
    def init_process(self) -> None:
        self.deadlines = ReadDeadlines(settings.READ_SECONDS)
        super().init_process()

    def handle(self, conn: Any) -> Any:
        if not conn.initialized and not conn.wait_for_data(FIRST_BYTE):
            return _DEFER
        with self.deadlines.reading(conn.sock):
            return super().handle(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        length = next((value for name, value in req.headers if name == "CONTENT-LENGTH"), "")
        if length.isdigit() and int(length) <= settings.CALL_LIMIT:
            req.body = received(req.body, int(length))
        self.deadlines.finished(conn.sock)
        return super().handle_request(req, conn)


def received(body: Any, length: int) -> IO[bytes]:
    """Read the body into memory or, if it is large, into a temporary file."""
    copy = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
    while chunk := body.read(min(CHUNK, length - copy.tell())):
        copy.write(chunk)
    if copy.tell() < length:
        raise StopIteration("The request did not arrive in time.")
    copy.seek(0)
    return copy
