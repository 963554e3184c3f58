"""The three things a player can do. Rows are counted from 1, as players count them."""

from typing import Annotated, Literal

from msgspec import Meta

from games.engine.records import Move

Row = Annotated[int, Meta(ge=0, le=999)]


class ColorettoMove(Move, frozen=True, kw_only=True):
    schema: Literal[1] = 1


class Draw(ColorettoMove, frozen=True):
    """Reveal the top card of the supply; it must then be placed."""


class Place(ColorettoMove, frozen=True):
    row: Row


class Take(ColorettoMove, frozen=True):
    row: Row


AnyMove = Draw | Place | Take
