"""Draw a board for the terminal with colors and boxes. The board is also readable without colors."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from rich.columns import Columns as SideBySide
from rich.console import Group, RenderableType
from rich.table import Table as SideTable
from rich.text import Text

from cli.render.canvas import WIDEST
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
COMPACT_CARD_WIDTH = 10
LONGEST_NAME = 22


def draw(board: Board, style: Style, label: str = "") -> RenderableType:
    artist = Artist(style)
    parts: list[RenderableType] = [artist.heading(board, label)]
    for part in board.parts:
        parts += [Text(), artist.part(part)]
    return Group(*parts, *([Text(), artist.legend(board)] if style.legend else []))


def draw_compact(board: Board, style: Style, label: str = "") -> RenderableType:
    """Draw a board in as few lines as possible, without empty lines or a legend.

    Cards are drawn beside the squares, without details. Of several tables, only the last is drawn.
    """
    artist = Artist(style)
    return Group(artist.heading(board, label), *artist.compact_parts(board.parts))


class Artist:
    def __init__(self, style: Style) -> None:
        self.style = replace(style, width=min(style.width, WIDEST))

    def heading(self, board: Board, label: str) -> RenderableType:
        """Draw the title. The label of the match goes at the right edge, or on a line of its own."""
        title = Text(", ".join(part for part in (board.title, board.status) if part), style="bold")
        space = self.style.width - width(title.plain) - width(label)
        if label:
            title.append(f"{' ' * space}{label}" if space >= len(GAP) else f"\n{label}", style="not bold dim")
        return Group(title, self.note(board.summary)) if board.summary else title

    def compact_parts(self, parts: Sequence[Part]) -> Iterator[RenderableType]:
        has_squares = any(isinstance(part, Grid) and part.columns for part in parts)
        cards = [card for part in parts if isinstance(part, Cards) and has_squares for card in part.cards]
        tables = [part for part in parts if isinstance(part, Table)]
        for part in parts:
            match part:
                case Grid(columns=columns) if columns:
                    yield self.compact_grid(part, cards)
                case Cards() if cards:
                    continue
                case Table():
                    if part is tables[-1]:
                        yield self.table(part, is_compact=True)
                case Note(lines=lines) if not part.is_own:
                    yield self.note(Note((" ".join(lines),), part.tone))
                case _:
                    yield self.part(part)

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
        """Render a card. Without colors, it is shown in brackets."""
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

    def compact_grid(self, grid: Grid, cards: Sequence[Card]) -> RenderableType:
        """Draw the squares with the panel and the cards beside them. If they don't fit, they go below the squares."""
        squares = self.squares(grid, is_compact=True)
        room = self.style.width - widest(squares) - len(GAP)
        has_room = room >= 3 * COMPACT_CARD_WIDTH
        aside = self.aside(grid.panel, cards, room if has_room else self.style.width)
        if not has_room or not aside:
            return Group(squares, *aside)
        beside = SideTable.grid(padding=(0, len(GAP), 0, 0))
        beside.add_row(squares, Text("\n").join(aside))
        return beside

    def aside(self, panel: Panel | None, cards: Sequence[Card], room: int) -> list[Text]:
        held = [Text(panel.title, style="bold"), *flowing(map(self.short_entry, panel.entries), room)] if panel else []
        shown = [self.compact_card(card) for card in cards]
        per_line = max(1, room // COMPACT_CARD_WIDTH)
        lines = [line for at in range(0, len(shown), per_line) for line in side_by_side(shown[at : at + per_line])]
        return [*held, *([Text(), Text("Cards", style="bold"), *lines] if lines else [])]

    def short_entry(self, entry: Entry) -> Text:
        holder = self.sign(entry.holder_sign) if entry.holder_sign else Text(EMPTY.center(3), style="dim")
        return Text().append_text(self.sign(entry.cell)).append(" ").append_text(holder)

    def compact_card(self, card: Card) -> list[Text]:
        face = Text().append(f"{card.name.split()[-1]} ", style="bold").append_text(self.sign(card.cell))
        short = card.note.removesuffix(" (bot)")
        note = [Text(line, style="dim") for line in wrap(short, COMPACT_CARD_WIDTH - 1)]
        return [face, *(Text(line, style="bold") for line in card.picture), *note]

    def squares(self, grid: Grid, *, is_compact: bool = False) -> Text:
        """Draw the squares with their coordinates, either all around or only on the left and at the top."""
        names, room = max(width(row.name) for row in grid.rows), sign_width(grid)
        edge = Text(f"{'':{names}} {''.join(column.center(room) for column in grid.columns)}", style="dim")
        lines = [self.square_row(row, names, room) for row in grid.rows]
        if is_compact:
            return Text("\n").join([edge, *lines])
        lines = [line.append(f" {row.name}", style="dim") for line, row in zip(lines, grid.rows, strict=True)]
        return Text("\n").join([edge, *lines, edge] if grid.columns else lines)

    def square_row(self, row: Row, names: int, room: int) -> Text:
        line = Text().append(f"{row.name:>{names}} ", style="dim")
        for cell in row.cells:
            sign = cell.sign.center(room)
            line.append_text(self.paint(sign, cell.colour) if cell.sign else Text(EMPTY.center(room), style="dim"))
        return line

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

    def table(self, table: Table, *, is_compact: bool = False) -> Text:
        names = [f"{row.name}{you(row)}" for row in table.rows]
        before = len(MARKS[""]) + max(width(f"{row.sign.sign} ") if row.sign else 0 for row in table.rows)
        longest = min(LONGEST_NAME, max(map(width, names)))
        columns = columns_of(table, self.style.width - before, longest, padding=1)
        heads = Text(" " * (before + columns.name)).append_text(self.heads(table.heads, columns))
        rule = Text("─" * widest(heads), style="dim")
        rows = [self.table_row(row, table.heads, columns) for row in table.rows]
        return Text("\n").join([heads, *([] if is_compact else [rule]), *rows])

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


def flowing(texts: Iterable[Text], room: int) -> list[Text]:
    """Arrange short pieces of text in as few lines as possible."""
    lines: list[Text] = []
    for text in texts:
        if lines and width(lines[-1].plain) + len(GAP) + width(text.plain) <= room:
            lines[-1].append(GAP).append_text(text)
        else:
            lines.append(text.copy())
    return lines


def side_by_side(columns: Sequence[Sequence[Text]]) -> list[Text]:
    """Join columns of equal width line by line."""
    lines = []
    for row in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for text in row:
            line.append_text(text).append(" " * (COMPACT_CARD_WIDTH - width(text.plain)))
        lines.append(line)
    return lines


def you(row: Row) -> str:
    return " (you)" if row.is_own else ""


def widest(text: Text) -> int:
    return max(map(width, text.plain.splitlines()))
