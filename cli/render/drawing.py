"""Draw a board for the terminal with colors and boxes, readable without color too."""

from collections.abc import Sequence
from textwrap import wrap

from rich.columns import Columns as SideBySide
from rich.console import Group, RenderableType
from rich.table import Table as SideTable
from rich.text import Text

from cli.render.style import Style
from cli.render.table import GAP
from games.engine.board import (
    PAINTS,
    Board,
    Card,
    Cards,
    Cell,
    Colour,
    Entry,
    Grid,
    Head,
    Key,
    Note,
    Panel,
    Part,
    Row,
    Table,
)
from games.engine.board_text import BOX, Columns, columns_of, head_texts, sign_width
from games.engine.text import cut, fit, width

MARKS = {"": "  ", "awaited": "▶ ", "decided": "✓ "}
TONES = {"": "", "strong": "bold", "faint": "dim"}
EMPTY = "·"
CARD_WIDTH = 25
LONGEST_NAME = 22


def draw(board: Board, style: Style) -> RenderableType:
    artist = Artist(style)
    parts: list[RenderableType] = [artist.heading(board)]
    for part in board.parts:
        parts += [Text(), artist.part(part)]
    return Group(*parts, *([Text(), artist.legend(board)] if style.legend else []))


class Artist:
    def __init__(self, style: Style) -> None:
        self.style = style

    def heading(self, board: Board) -> RenderableType:
        title = Text(", ".join(part for part in (board.title, board.status) if part), style="bold")
        return Group(title, self.note(board.summary)) if board.summary else title

    def part(self, part: Part) -> RenderableType:
        match part:
            case Grid(has_boxes=True):
                return self.boxes(part)
            case Grid():
                return self.grid(part)
            case Table():
                return self.table(part)
            case Cards(cards=cards):
                return SideBySide([self.card(card) for card in cards], width=CARD_WIDTH, padding=(0, 1))
            case Note():
                return self.note(part)

    def note(self, note: Note) -> Text:
        below = "  " if note.is_own else ""
        lines = [part for line in note.lines for part in wrap(line, self.style.width, subsequent_indent=below)]
        return Text("\n".join(lines), style=TONES[note.tone])

    def paint(self, text: str, colour: Colour) -> Text:
        if not colour or not self.style.colour:
            return Text(text)
        paper, ink = PAINTS[colour]
        return Text(text, style=f"bold {ink} on {paper}")

    def sign(self, cell: Cell) -> Text:
        return self.paint(cell.sign, cell.colour)

    def boxes(self, grid: Grid) -> Text:
        names = max(width(row.name) for row in grid.rows)
        return Text("\n").join(self.box_row(row, names) for row in grid.rows)

    def box_row(self, row: Row, names: int) -> Text:
        line = Text(f"  {fit(row.name, names)}  ")
        for cell in row.cells:
            line.append_text(self.box(cell)).append(" ")
        return line.append(row.note, style="dim")

    def box(self, cell: Cell) -> Text:
        """Draw a card. Without color, brackets mark it as one."""
        word = fit(cell.text, BOX)
        if not cell.text:
            return Text(f"[{word}]", style="dim")
        return self.paint(f" {word} ", cell.colour) if self.style.colour else Text(f"[{word}]")

    def grid(self, grid: Grid) -> RenderableType:
        """Draw a grid. The panel goes beside the squares, or below them if it doesn't fit."""
        squares = self.squares(grid)
        if not grid.panel:
            return squares
        panel = self.panel(grid.panel)
        if widest(squares) + len(GAP) + widest(panel) > self.style.width:
            return Group(squares, Text(), panel)
        beside = SideTable.grid(padding=(0, len(GAP), 0, 0))
        beside.add_row(squares, panel)
        return beside

    def squares(self, grid: Grid) -> Text:
        names, room = max(width(row.name) for row in grid.rows), sign_width(grid)
        edge = Text(f"{'':{names}} {''.join(column.center(room) for column in grid.columns)}", style="dim")
        lines = [self.square_row(row, names, room) for row in grid.rows]
        return Text("\n").join([edge, *lines, edge] if grid.columns else lines)

    def square_row(self, row: Row, names: int, room: int) -> Text:
        line = Text().append(f"{row.name:>{names}} ", style="dim")
        for cell in row.cells:
            sign = cell.sign.center(room)
            line.append_text(self.paint(sign, cell.colour) if cell.sign else Text(EMPTY.center(room), style="dim"))
        return line.append(f" {row.name}", style="dim")

    def panel(self, panel: Panel) -> Text:
        return Text("\n").join([Text(panel.title, style="bold"), *map(self.entry, panel.entries)])

    def entry(self, entry: Entry) -> Text:
        line = Text().append_text(self.sign(entry.cell)).append(" ")
        if entry.holder_sign:
            line.append_text(self.sign(entry.holder_sign)).append(" ")
        return line.append(entry.holder, style="" if entry.holder_sign else "dim")

    def card(self, card: Card) -> Text:
        face = Text().append(f"{card.name} ", style="bold").append_text(self.sign(card.cell))
        face.append(f" {card.cell.label}")
        for line in card.picture:
            face.append(f"\n  {line}", style="bold")
        for square, others in card.ways:
            face.append(f"\n{square}").append(f" + {' '.join(others)}" if others else "", style="dim")
        return face.append(f"\n{card.note}", style="dim") if card.note else face

    def table(self, table: Table) -> Text:
        names = [f"{row.name}{you(row)}" for row in table.rows]
        before = len(MARKS[""]) + max(width(f"{row.sign.sign} ") if row.sign else 0 for row in table.rows)
        longest = min(LONGEST_NAME, max(map(width, names)))
        columns = columns_of(table, self.style.width - before, longest, padding=1)
        heads = Text(" " * (before + columns.name)).append_text(self.heads(table.heads, columns))
        rule = Text("─" * widest(heads), style="dim")
        rows = [self.table_row(row, table.heads, columns) for row in table.rows]
        return Text("\n").join([heads, rule, *rows])

    def heads(self, heads: Sequence[Head], columns: Columns) -> Text:
        line = Text()
        for head, word, room in zip(heads, columns.heads, columns.widths, strict=True):
            line.append_text(self.figure(word, head.colour, room, columns.padding if head.colour else 0, "bold"))
        return line

    def table_row(self, row: Row, heads: Sequence[Head], columns: Columns) -> Text:
        line = Text(MARKS[row.mark])
        if row.sign:
            line.append_text(self.sign(row.sign)).append(" ")
        line.append(fit(cut(row.name, columns.name - len(you(row))) + you(row), columns.name))
        for cell, head, room in zip(row.cells, heads, columns.widths, strict=True):
            padding = columns.padding if head.colour else 0
            word, tone = (cell.sign, "") if cell.sign else (EMPTY, "dim")
            line.append_text(self.figure(word, cell.colour, room, padding, tone))
        return line

    def figure(self, word: str, colour: Colour, room: int, padding: int, tone: str = "") -> Text:
        """Right-align a word. Its color extends into the padding on both sides."""
        around = " " * padding
        figure = self.paint(f"{around}{word}{around}", colour)
        if not colour or not self.style.colour:
            figure.stylize(tone)
        return Text(" " * (room - width(figure.plain))).append_text(figure)

    def legend(self, board: Board) -> Text:
        line = Text(style="dim")
        for number, key in enumerate(board.legend.keys):
            line.append("; " if number else "").append_text(self.key(key))
        marks = [f"{MARKS[mark]}{meaning}" for mark, meaning in board.legend.marks]
        explained = ", ".join([*marks, *head_texts(board.legend)])
        return line.append(f"\n{explained}") if explained else line

    def key(self, key: Key) -> Text:
        line = Text(f"{key.title}: " if key.title else "")
        for number, cell in enumerate(key.cells):
            line.append(" " if number else "").append_text(self.sign(cell)).append(f" {cell.label}")
        return line


def you(row: Row) -> str:
    return " (you)" if row.is_own else ""


def widest(text: Text) -> int:
    return max(map(width, text.plain.splitlines()))
