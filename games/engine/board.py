"""A board described once: signs, colours, names and words. Shared code draws it as text, speech, HTML or in a terminal.

A drawing may leave out colours, never signs: no cell depends on its colour to be understood.
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
"""By colour: the background and the letters on it."""

Mark = Literal["", "awaited", "decided"]
Tone = Literal["", "strong", "faint"]


class Cell(Record, frozen=True):
    text: str = ""
    """One or two letters or a number; nothing for an empty place."""
    edges: str = ""
    """The two signs around the text that tell kinds of things apart, such as []."""
    colour: Colour = ""
    label: str = ""
    """What it stands for, in words."""
    square: str = ""
    """Its name in moves, such as D7."""
    seat: int | None = None
    """Whose it is."""
    is_hidden: bool = False
    """Face down: nobody knows yet what it is."""
    is_marked: bool = False
    """It is what the present question is about."""

    @property
    def sign(self) -> str:
        return self.edges[:1] + self.text + self.edges[1:]


class Row(Record, frozen=True):
    """A row of a grid or of a table; in a table of players, the row of one of them."""

    name: str
    cells: tuple[Cell, ...] = ()
    note: str = ""
    """Behind the cells, or instead of them."""
    sign: Cell | None = None
    """How the board shows what the row is about."""
    seat: int | None = None
    mark: Mark = ""
    is_own: bool = False
    """The row of the player who looks at the board."""
    spoken: str = ""


class Entry(Record, frozen=True):
    """Something on the board and who has it."""

    cell: Cell
    holder: str
    holder_sign: Cell | None = None
    spoken: str = ""


class Panel(Record, frozen=True):
    """A list beside a grid."""

    title: str
    caption: str
    """What the holders are, such as "held by"."""
    entries: tuple[Entry, ...]


class Grid(Record, frozen=True, tag="grid"):
    """Squares in rows and columns, or rows of places for cards where `has_boxes`."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    panel: Panel | None = None
    has_boxes: bool = False
    spoken: tuple[str, ...] | None = None
    """Instead of what stands where, square by square."""


class Head(Record, frozen=True):
    text: str
    short: str = ""
    """Where there is little room."""
    colour: Colour = ""
    label: str = ""
    """What the column counts, in words."""


class Table(Record, frozen=True, tag="table"):
    """Figures under heads: a row has a cell for each head."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]


class Card(Record, frozen=True):
    """A card on display, and where it can be played."""

    name: str
    cell: Cell
    text: str
    picture: tuple[str, ...] = ()
    """Lines of signs that show what the text says."""
    ways: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By square: the squares that go with it."""
    note: str = ""
    spoken: str = ""


class Cards(Record, frozen=True, tag="cards"):
    cards: tuple[Card, ...]


class Note(Record, frozen=True, tag="note"):
    """Sentences, each on a line of its own."""

    lines: tuple[str, ...]
    tone: Tone = ""
    is_own: bool = False
    """Only the player who looks at the board sees it."""
    spoken: str = ""


Part: TypeAlias = Grid | Table | Cards | Note


class Key(Record, frozen=True):
    """Signs of one kind and what they stand for: the label of each cell."""

    cells: tuple[Cell, ...]
    title: str = ""


class Legend(Record, frozen=True):
    keys: tuple[Key, ...] = ()
    marks: tuple[tuple[Mark, str], ...] = ()
    """What it means that a player's row is marked."""
    heads: tuple[tuple[str, str], ...] = ()
    """What stands under the heads that need explaining."""


class Board(Record, frozen=True):
    game: str
    variant: str
    status: str
    parts: tuple[Part, ...]
    summary: Note | None = None
    """Right below the heading."""
    legend: Legend = Legend()

    @property
    def title(self) -> str:
        return f"{self.game}, {self.variant}" if self.variant else self.game


def short_names(names: Names) -> Names:
    """Names cut to the width of a board's columns."""
    return names.shortened(NAME_WIDTH)
