"""A board as tables of cells, for whoever draws with colours: mail in HTML, or a page.

Colours are names; how they look is decided where they are drawn. No cell depends on its colour to be understood.
"""

from typing import Literal, TypeAlias

from games.engine.records import Record

Colour = Literal[
    "", "blue", "green", "orange", "pink", "red", "violet", "yellow", "gold", "silver", "dark", "sky", "water"
]


class Cell(Record, frozen=True):
    text: str = ""
    colour: Colour = ""
    label: str = ""
    """In words, where the text is only a sign."""


class Grid(Record, frozen=True):
    """Rows of cells, all of the same length; the first of each says what the row is about. Of `squares` all are of the
    same size, but for the first and the last of a row."""

    rows: tuple[tuple[Cell, ...], ...]
    heads: tuple[Cell, ...] = ()
    squares: bool = False


class Note(Record, frozen=True):
    text: str
    aside: bool = False
    """Such as a legend: good to have, but not read every time."""


Sheet: TypeAlias = tuple[Note | Grid, ...]
