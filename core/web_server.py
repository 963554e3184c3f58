"""Run Waitress with a graceful shutdown, which stops accepting connections and then finishes open requests."""

from argparse import ArgumentTypeError
from time import monotonic
from typing import Any, Protocol

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, create_server

SHUTDOWN_SECONDS = 30
"""How many seconds open requests have to finish."""
POLL_SECONDS = 0.2
MOST_CONNECTIONS = 500
CROWDED, COMFORTABLE = 400, 300
"""If there are more than CROWDED connections, idle ones are closed until COMFORTABLE are left."""
IDLE = 60
"""How many seconds a connection without a request stays open."""


class StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses requests that state their length in two ways.

    A proxy might disagree about where such a request ends, and miss a second one smuggled in after it.
    """

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Send either Content-Length or chunked encoding, not both.")


class Takeover(Protocol):
    """Takes over connections that would occupy a thread for a long time."""

    def wants(self, data: bytes) -> bool: ...

    def take(self, connection: Any, data: bytes) -> None: ...


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    parser_class = StrictParser
    request_began: float | None = None
    takeover: Takeover | None = None

    def received(self, data: bytes) -> bool:
        is_idle = self.request is None and not self.requests and not self.total_outbufs_len
        if self.takeover and is_idle and self.takeover.wants(data):
            self.del_channel()
            self.takeover.take(self.socket, data)
            return True
        taken: bool = super().received(data)
        if self.request is None:
            self.request_began = None
        elif self.request_began is None:
            self.request_began = monotonic()
        return taken


class WebServer:
    """A web server that runs until `stop` is called. A signal handler may call `stop`."""

    def __init__(
        self,
        application: Any,
        *,
        largest_request: int = 2**20,
        read_seconds: float = 30,
        takeover: Takeover | None = None,
        **adjustments: Any,
    ) -> None:
        self._read_seconds = read_seconds
        self._sockets: dict[int, Any] = {}
        self._stopping = False
        self._server = create_server(
            application,
            map=self._sockets,
            ident="turnpost",
            max_request_body_size=largest_request,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=IDLE,
            **adjustments,
        )
        for listening in self._all(BaseWSGIServer):
            listening.channel_class = type("Channel", (StrictChannel,), {"takeover": takeover})

    def run(self) -> None:
        while not self._stopping:
            self._poll()
            self._make_room()
        self._stop_listening()
        end = monotonic() + SHUTDOWN_SECONDS
        while self._is_busy() and monotonic() < end:
            self._poll()
        self._server.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets)

    def stop(self) -> None:
        self._stopping = True

    def _poll(self) -> None:
        wasyncore.loop(timeout=POLL_SECONDS, use_poll=True, map=self._sockets, count=1)

    def _make_room(self) -> None:
        """Close connections whose request has not arrived in time.

        If there are still too many, close those that have been idle longest.
        """
        late = monotonic() - self._read_seconds
        waiting = [channel for channel in self._all(StrictChannel) if not channel.requests]
        for channel in waiting:
            if channel.request_began is not None and channel.request_began < late:
                channel.will_close = True
        if len(self._sockets) > CROWDED:
            quietest = sorted(waiting, key=lambda channel: channel.last_activity)
            for channel in quietest[: len(self._sockets) - COMFORTABLE]:
                channel.will_close = True

    def _stop_listening(self) -> None:
        for listening in self._all(BaseWSGIServer):
            wasyncore.dispatcher.close(
                listening
            )  # Waitress's own close() would also remove the trigger that wakes its loop.

    def _is_busy(self) -> bool:
        return any(channel.requests or channel.total_outbufs_len for channel in self._all(HTTPChannel))

    def _all(self, kind: type) -> list[Any]:
        return [part for part in list(self._sockets.values()) if isinstance(part, kind)]


def port(written: str) -> int:
    if not (written.isascii() and written.isdigit() and int(written) < 2**16):
        raise ArgumentTypeError(f"{written!r} is not a port number from 0 to 65535.")
    return int(written)
