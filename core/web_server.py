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


class StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """A request that gives its length in two ways has an end that a proxy may see elsewhere, and behind it another
    request that the proxy has not seen."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("A request gives its length once.")


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    parser_class = StrictParser


class Web:
    """`run` returns after `stop`, which a signal may call."""

    def __init__(self, application: Any, *, largest_request: int = 2**20, **adjustments: Any) -> None:
        self._sockets: dict[int, Any] = {}
        self._stopping = False
        self._server = create_server(
            application, map=self._sockets, ident="turnpost", max_request_body_size=largest_request, **adjustments
        )
        for listening in self._all(BaseWSGIServer):
            listening.channel_class = StrictChannel

    def run(self) -> None:
        while not self._stopping:
            self._look()
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
