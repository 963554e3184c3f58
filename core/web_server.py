"""Waitress that stops gracefully: it accepts no further connections, and answers what it was asked."""

from argparse import ArgumentTypeError
from time import monotonic
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, create_server

LONGEST_ANSWER = 30
"""Seconds that requests under way have to be answered in."""
LOOK_EVERY = 0.2
MOST_CONNECTIONS = 500
CROWDED, COMFORTABLE = 400, 300
"""Connections at which those without a request are closed, the quietest first, and how many may stay."""
IDLE = 60
"""Seconds after which a connection without a request is closed."""


class StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """A request that gives its length in two ways has an end that a proxy may see elsewhere, and behind it another
    request that the proxy has not seen."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("A request gives its length once.")


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    parser_class = StrictParser
    request_began: float | None = None

    def received(self, data: bytes) -> bool:
        taken: bool = super().received(data)
        if self.request is None:
            self.request_began = None
        elif self.request_began is None:
            self.request_began = monotonic()
        return taken


class Web:
    """`run` returns after `stop`, which a signal may call."""

    def __init__(
        self, application: Any, *, largest_request: int = 2**20, read_seconds: float = 30, **adjustments: Any
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
            listening.channel_class = StrictChannel

    def run(self) -> None:
        while not self._stopping:
            self._look()
            self._make_room()
        self._stop_listening()
        end = monotonic() + LONGEST_ANSWER
        while self._is_busy() and monotonic() < end:
            self._look()
        self._server.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets)

    def stop(self) -> None:
        self._stopping = True

    def _look(self) -> None:
        wasyncore.loop(timeout=LOOK_EVERY, use_poll=True, map=self._sockets, count=1)

    def _make_room(self) -> None:
        """Close connections whose request has not arrived in time and, when there are too many, the quietest."""
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
            wasyncore.dispatcher.close(listening)  # its own close would also take away what wakes the loop

    def _is_busy(self) -> bool:
        return any(channel.requests or channel.total_outbufs_len for channel in self._all(HTTPChannel))

    def _all(self, kind: type) -> list[Any]:
        return [part for part in list(self._sockets.values()) if isinstance(part, kind)]


def port(written: str) -> int:
    if not (written.isascii() and written.isdigit() and int(written) < 2**16):
        raise ArgumentTypeError(f"{written!r} is not a port; ports are numbers up to 65535.")
    return int(written)
