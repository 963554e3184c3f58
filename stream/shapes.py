"""The data that the event stream sends."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta

from core.shapes import Shape, one_of

KINDS = (
    "connected",
    "your_turn",
    "move_made",
    "match_started",
    "match_over",
    "message",
    "proposal",
    "invitation",
    "reminder",
    "deadline_changed",
    "deadline_passed",
    "resigned",
)


class StreamEvent(Shape, frozen=True):
    """An event that concerns you. The first event of a connection is `connected`."""

    kind: Annotated[str, one_of(*KINDS)]
    cursor: Annotated[str, Meta(description="Send it as `after` or `Last-Event-ID` to continue after this event.")]
    at: datetime
    match: Annotated[str | None, Meta(description="null for `connected`.")]
    turn: Annotated[int | None, Meta(description="The match's turn after the event; null before the match starts.")]
    data: Annotated[dict[str, Any], Meta(description="Details that depend on the kind.")]
