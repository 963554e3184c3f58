"""Write stream events as lines of JSON or as server-sent events."""

from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from stream import shapes
from stream.cursors import cursor_of
from stream.models import StreamEvent

RETRY = b"retry: 3000\n"
"""How many milliseconds browsers wait before they reconnect."""


def presented(event: StreamEvent) -> shapes.StreamEvent:
    return shapes.StreamEvent(
        kind=event.kind,
        cursor=cursor_of(event),
        at=event.happened_at,
        match=event.match,
        turn=event.turn,
        data=event.data,
    )


def connected(last: StreamEvent | None) -> shapes.StreamEvent:
    now = datetime.now(UTC)
    return shapes.StreamEvent(kind="connected", cursor=cursor_of(last), at=now, match=None, turn=None, data={})


@dataclass(frozen=True)
class Lines:
    media_type: str = "application/x-ndjson"
    heartbeat: bytes = b"\n"

    def written(self, event: shapes.StreamEvent) -> bytes:
        return msgspec.json.encode(event) + b"\n"


@dataclass(frozen=True)
class ServerSentEvents:
    media_type: str = "text/event-stream"
    heartbeat: bytes = b":\n\n"

    def written(self, event: shapes.StreamEvent) -> bytes:
        retry = RETRY if event.kind == "connected" else b""
        return b"%sid: %s\ndata: %s\n\n" % (retry, event.cursor.encode(), msgspec.json.encode(event))


@dataclass(frozen=True)
class Signals(ServerSentEvents):
    """Tells the page of a match that something has changed.

    These events have no cursors, because their numbers would show how much happens in the player's other matches.
    """

    def written(self, event: shapes.StreamEvent) -> bytes:
        retry = RETRY if event.kind == "connected" else b""
        return b"%sdata: %s\n\n" % (retry, msgspec.json.encode({"kind": event.kind, "turn": event.turn}))


Format = Lines | ServerSentEvents
NDJSON, SSE, SIGNALS = Lines(), ServerSentEvents(), Signals()
