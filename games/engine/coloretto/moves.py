"""The three things a player can do. Rows are counted from 1, as players count them."""

from typing import Literal

from games.engine.records import Move


class ColorettoMove(Move, frozen=True, kw_only=True):
    schema: Literal[1] = 1


class Draw(ColorettoMove, frozen=True):
    """Reveal the top card of the supply; it must then be placed."""


class Place(ColorettoMove, frozen=True):
    row: int


class Take(ColorettoMove, frozen=True):
    row: int


AnyMove = Draw | Place | Take
