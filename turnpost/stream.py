"""Follow an account's event stream, and reconnect when the connection is lost."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from stream.shapes import StreamEvent
from turnpost.errors import Unreachable

if TYPE_CHECKING:
    from turnpost.http import Server
    from turnpost.transport import Response

SILENCE_SECONDS = 50
"""The number of seconds without data after which the connection is considered lost. The server sends something every 15
seconds."""
MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors that can occur when a line is decoded."""
PAUSES = (3.0, 3.0, 5.0, 10.0, 30.0)
"""The number of seconds to wait before each attempt to reconnect. The last value is used for all further attempts."""

_decoder = msgspec.json.Decoder(StreamEvent)


def follow(server: "Server", after: str | None = None) -> Iterator[StreamEvent]:
    """Connect, and return all events after a cursor or, without a cursor, all new events. The iterator never ends, and
    yields each event exactly once.

    Each connection begins with an event of the kind `connected`. Raise Unreachable only if the first connection fails
    or doesn't begin with an event. After that, keep trying to reconnect. Raise Refused with the code `cursor_expired`
    if events are missing.
    """
    events = events_in(open_stream(server, after))
    first = next(events, None)
    if first is None:
        raise Unreachable("server_trouble", "The server sent no events.", "Try again.")
    return events_of_all(server, chain([first], events), after)


def events_of_all(server: "Server", events: Iterator[StreamEvent], cursor: str | None) -> Iterator[StreamEvent]:
    """Yield the events of all connections, beginning with one that is already open."""
    failures = 0
    while True:
        with suppress(Unreachable):
            for event in events:
                cursor, failures = event.cursor, 0
                yield event
        server.pause(PAUSES[min(failures, len(PAUSES) - 1)])
        failures += 1
        with suppress(Unreachable):
            events = events_in(open_stream(server, cursor))


def open_stream(server: "Server", cursor: str | None) -> "Response":
    params = {} if cursor is None else {"after": cursor}
    headers = {"Accept": "application/x-ndjson"}
    timeout = (server.timeout[0], SILENCE_SECONDS)
    return server.request("GET", "stream", params=params, headers=headers, stream=True, timeout=timeout)


def events_in(response: "Response") -> Iterator[StreamEvent]:
    """Yield the events of one connection. Empty lines are heartbeats."""
    from turnpost.transport import FAILURES

    try:
        for line in response.lines():
            if line:
                yield _decoder.decode(line)
    except MALFORMED as error:
        raise Unreachable("server_trouble", "The server returned an unexpected response.", "Try again.") from error
    except FAILURES as error:
        raise Unreachable("connection_lost", "The connection was lost.", "Connect again.") from error
    finally:
        response.close()
