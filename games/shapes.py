"""What services, selectors and the API hand out, declared once: the struct that is encoded is the struct that documents
the API and the command line's JSON. No Django here, so that clients may import it."""

from typing import Any, Literal

import msgspec

Phase = Literal["gathering", "running", "finished", "abandoned", "cancelled", "expired"]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    pass


class SeenEvent(Shape):
    number: int
    event: Any
    text: str


class MadeMove(Shape):
    seat: int
    notation: str
    sealed: bool
    receipt: str | None
    nonce: str | None


class MoveAccepted(Shape):
    """A move that was made, and what its player may know of what happened."""

    match: str
    turn: int
    phase: str
    awaiting: list[int]
    move: MadeMove
    events: list[SeenEvent]


class MoveRefused(Shape):
    """A move that was not made; `kind` is that of core.refusals."""

    kind: str
    code: str
    message: str
    hint: str
    data: dict[str, Any]


class PreviewedEvent(Shape):
    event: Any
    text: str


class PreviewedMove(Shape):
    seat: int
    notation: str
    sealed: bool


class MovePreview(Shape):
    """What a move would lead to, as far as its player may know."""

    move: PreviewedMove
    would: list[PreviewedEvent]
    """What would surely happen."""
    uncertain: bool
    """Whether there is more that cannot be known before."""
    awaiting: list[int] | None
    text: str
