"""Describe a board in symbols, colors, names and labels.

Shared code renders the description as text, speech or HTML. Renderers may leave out colors but not symbols, so no cell
may depend on its color alone.
"""

from typing import Literal, TypeAlias

from games.engine.names import Names
from games.engine.records import Record

NAME_WIDTH = 16
Colour = Literal[
    "", "blue", "green", "orange", "pink", "red", "violet", "yellow", "gold", "silver", "dark", "sky", "water"
]
PAINTS: dict[Colour, tuple[str, str]] = {
    "blue": ("#0067a5", "#ffffff"),
    "green": ("#2bb673", "#000000"),
    "orange": ("#f39c12", "#000000"),
    "pink": ("#f7a8c9", "#000000"),
    "red": ("#b3202c", "#ffffff"),
    "violet": ("#6a3d9a", "#ffffff"),
    "yellow": ("#f5e342", "#000000"),
    "gold": ("#d4af37", "#000000"),
    "silver": ("#d9d9d9", "#000000"),
    "dark": ("#404040", "#ffffff"),
    "sky": ("#7fd4ff", "#000000"),
    "water": ("#00508a", "#ffffff"),
}
"""The background color and the text color."""

Mark = Literal["", "awaited", "decided"]
Tone = Literal["", "strong", "faint"]


class Cell(Record, frozen=True):
    text: str = ""
    """One or two letters, or a number. The text of an empty cell is empty."""
    edges: str = ""
    """Two characters around the text that show what kind of cell it is, such as []."""
    colour: Colour = ""
    label: str = ""
    """A description of the cell in words."""
    square: str = ""
    """The name of the square in moves, such as D7."""
    seat: int | None = None
    """The seat that owns the cell."""
    is_hidden: bool = False
    """Whether the cell is face down, so that nobody knows yet what it is."""
    is_marked: bool = False
    """Whether to highlight the cell, because the current decision is about it."""

    @property
    def sign(self) -> str:
        return self.edges[:1] + self.text + self.edges[1:] if self.edges else self.text


class Row(Record, frozen=True):
    """A row of a grid or table. In a table of players, each row belongs to a player."""

    name: str
    cells: tuple[Cell, ...] = ()
    note: str = ""
    """Text that follows or replaces the cells."""
    sign: Cell | None = None
    """The symbol that marks this row's owner on the board."""
    seat: int | None = None
    mark: Mark = ""
    is_own: bool = False
    """Whether the row belongs to the player who is looking at the board."""
    spoken: str = ""


class Entry(Record, frozen=True):
    """An item on the board, and the player who holds it."""

    cell: Cell
    holder: str
    holder_sign: Cell | None = None
    spoken: str = ""


class Panel(Record, frozen=True):
    """A list next to a grid."""

    title: str
    caption: str
    """The heading above the holders, such as "held by"."""
    entries: tuple[Entry, ...]


class Grid(Record, frozen=True, tag="grid"):
    """Squares in rows and columns or, with `has_boxes`, rows of spaces for cards."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    panel: Panel | None = None
    has_boxes: bool = False
    spoken: tuple[str, ...] | None = None
    """Text that is read aloud instead of the individual squares."""


class Head(Record, frozen=True):
    text: str
    short: str = ""
    """A shorter heading for narrow screens."""
    colour: Colour = ""
    label: str = ""
    """A description of what the column counts."""


class Table(Record, frozen=True, tag="table"):
    """A table of figures. Each row has one cell per heading."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]


class Card(Record, frozen=True):
    """A face-up card and where it can be played."""

    name: str
    cell: Cell
    text: str
    picture: tuple[str, ...] = ()
    """A drawing of the card, as lines of symbols."""
    ways: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For each square, the squares that can be combined with it."""
    note: str = ""
    spoken: str = ""


class Cards(Record, frozen=True, tag="cards"):
    cards: tuple[Card, ...]


class Note(Record, frozen=True, tag="note"):
    """The lines of the note, each of which is a sentence."""

    lines: tuple[str, ...]
    tone: Tone = ""
    is_own: bool = False
    """Whether only the player who is looking at the board may see it."""
    spoken: str = ""


Part: TypeAlias = Grid | Table | Cards | Note


class Key(Record, frozen=True):
    """Symbols of the same kind and their meanings."""

    cells: tuple[Cell, ...]
    title: str = ""


class Legend(Record, frozen=True):
    keys: tuple[Key, ...] = ()
    marks: tuple[tuple[Mark, str], ...] = ()
    """Explains the marks next to players' names."""
    heads: tuple[tuple[str, str], ...] = ()
    """Explains the column headings."""


class Board(Record, frozen=True):
    game: str
    variant: str
    status: str
    parts: tuple[Part, ...]
    summary: Note | None = None
    """The text right below the heading."""
    legend: Legend = Legend()

    @property
    def title(self) -> str:
        return f"{self.game}, {self.variant}" if self.variant else self.game

    @property
    def places(self) -> set[str]:
        """Return everything that a move can name: squares, rows of cards, and cards."""
        grids = [part for part in self.parts if isinstance(part, Grid)]
        squares = {cell.square for grid in grids for row in grid.rows for cell in row.cells if cell.square}
        rows = {row.name for grid in grids if not grid.columns for row in grid.rows}
        return squares | rows | {card.name for part in self.parts if isinstance(part, Cards) for card in part.cards}


def short_names(names: Names) -> Names:
    """Shorten names to the width of a board's columns."""
    return names.shortened(NAME_WIDTH)
