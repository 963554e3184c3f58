"""Render a board as plain text, or as speech for screen readers and voice assistants."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from games.engine.board import NAME_WIDTH, Board, Card, Cards, Cell, Grid, Key, Legend, Note, Panel, Part, Row, Table
from games.engine.text import fit, listing, width

PAGE = 80
EMPTY = "."
BOX = 2
"""The width of a space for a card."""
MARKS = {"": " ", "awaited": ">", "decided": "+"}
OWN = "*"
SHORTEST_NAME = 4


def board_text(board: Board) -> str:
    blocks = [heading(board), *(part_lines(part) for part in board.parts), legend_lines(board)]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block) + "\n"


def heading(board: Board) -> list[str]:
    title = wrapped(f"{board.title}   {board.status}") if board.status else [board.title]
    return [*title, *(part_lines(board.summary) if board.summary else [])]


def part_lines(part: Part) -> list[str]:
    match part:
        case Grid(has_boxes=True):
            return box_lines(part)
        case Grid():
            return grid_lines(part)
        case Table():
            return table_lines(part)
        case Cards(cards=cards):
            return [line for card in cards for line in card_lines(card)]
        case Note():
            return [line for text in part.lines for line in wrapped(text, further="  " if part.is_own else "")]


@lru_cache(maxsize=512)
def wrapped_text(text: str, indent: str, further: str) -> tuple[str, ...]:
    return tuple(wrap(text, PAGE, initial_indent=indent, subsequent_indent=further)) or ("",)


def wrapped(text: str, indent: str = "", further: str = "") -> list[str]:
    return [text] if not indent and width(text) <= PAGE else list(wrapped_text(text, indent, further))


def box_lines(grid: Grid) -> list[str]:
    names = max(width(row.name) for row in grid.rows)
    return [f"  {fit(row.name, names)}   {'   '.join(box_parts(row))}" for row in grid.rows]


def box_parts(row: Row) -> Iterator[str]:
    if row.cells:
        yield " ".join(f"[{fit(cell.text, BOX)}]" for cell in row.cells)
    if row.note:
        yield row.note


def grid_lines(grid: Grid) -> list[str]:
    """Render a grid with row names on both sides, column names above and below, and the panel beside it if it fits."""
    names, room = max(width(row.name) for row in grid.rows), sign_width(grid)
    edge = [column_line(grid, names, room)] if grid.columns else []
    lines = [*edge, *(grid_line(row, names, room) for row in grid.rows), *edge]
    if not grid.panel:
        return lines
    panel, widest = panel_lines(grid.panel), max(map(width, lines))
    if widest + 2 + max(map(width, panel)) > PAGE:
        return [*lines, "", *panel]
    beside = zip_longest(lines, [*[""] * len(edge), *panel], fillvalue="")
    return [f"{fit(line, widest)}  {aside}" for line, aside in beside]


def sign_width(grid: Grid) -> int:
    return max([1, *map(width, {cell.sign for row in grid.rows for cell in row.cells})])


def grid_line(row: Row, names: int, room: int) -> str:
    squares = "".join([(cell.sign or EMPTY).center(room) for cell in row.cells])
    return f"{row.name:>{names}} {squares} {row.name:<{names}}"


def column_line(grid: Grid, names: int, room: int) -> str:
    return f"{'':{names}} {''.join(column.center(room) for column in grid.columns)}".rstrip()


def panel_lines(panel: Panel) -> list[str]:
    entries = [
        " ".join([entry.cell.sign, *([entry.holder_sign.sign] if entry.holder_sign else []), entry.holder])
        for entry in panel.entries
    ]
    return [panel.title, *entries]


def card_lines(card: Card) -> list[str]:
    indent = " " * (len(card.name) + 2)
    note = f"   {card.note}" if card.note else ""
    ways = wrapped(ways_text(card), indent, indent) if card.ways else []
    return [*wrapped(f"{card.name}  {card.text}{note}", further=indent), *ways]


def ways_text(card: Card) -> str:
    ways = [f"{square} with {listing(others, 'or')}" if others else f"{square} alone" for square, others in card.ways]
    return "; ".join(ways)


class Columns(NamedTuple):
    """The column widths of a table, and the headings that fit into them."""

    name: int
    heads: tuple[str, ...]
    widths: tuple[int, ...]
    padding: int
    """The number of spaces around colored figures."""


def columns_of(table: Table, room: int, longest_name: int, padding: int = 0) -> Columns:
    """Fit a table into the available width.

    Columns are normally two spaces apart. If that is too wide, they move closer together, then headings are shortened,
    and then names are cut.
    """
    for is_short, gap, around in ((False, 2, padding), (False, 2, 0), (False, 1, 0), (True, 2, 0), (True, 1, 0)):
        columns = columns_with(table, is_short, gap, around)
        left = room - sum(columns.widths)
        if longest_name <= left:
            break
    return columns._replace(name=min(longest_name, max(SHORTEST_NAME, left)))


def columns_with(table: Table, is_short: bool, gap: int, padding: int) -> Columns:
    heads = tuple(head.short or head.text if is_short else head.text for head in table.heads)
    widths = tuple(
        gap + 2 * padding * bool(head.colour) + max([width(word), *(width(row.cells[at].sign) for row in table.rows)])
        for at, (head, word) in enumerate(zip(table.heads, heads, strict=True))
    )
    return Columns(0, heads, widths, padding)


def table_lines(table: Table) -> list[str]:
    leads = [lead(row) for row in table.rows]
    before = max(map(width, leads))
    longest = min(NAME_WIDTH, max(width(row.name) for row in table.rows))
    columns = columns_of(table, PAGE - before, longest)
    lines = [
        fit(begin, before) + fit(row.name, columns.name) + in_columns([cell_text(cell) for cell in row.cells], columns)
        for begin, row in zip(leads, table.rows, strict=True)
    ]
    return [" " * (before + columns.name) + in_columns(columns.heads, columns), *lines]


def lead(row: Row) -> str:
    """Return the marks shown before a player's name."""
    sign = f"{row.sign.sign} " if row.sign else "  "
    return f"{MARKS[row.mark]}{OWN if row.is_own else ' '}{sign}"


def cell_text(cell: Cell) -> str:
    return cell.sign or EMPTY


def in_columns(words: Sequence[str], columns: Columns) -> str:
    return "".join([f"{word:>{room}}" for word, room in zip(words, columns.widths, strict=True)])


def legend_lines(board: Board) -> list[str]:
    keys = key_texts(board.legend)
    marks = [f"{MARKS[mark]} {meaning}" for mark, meaning in board.legend.marks]
    own = [f"{OWN} you"] if has_own_row(board) else []
    explained = [*marks, *own, *head_texts(board.legend)]
    return [line for text in (*in_lines(keys), ", ".join(explained)) if text for line in wrapped(text)]


def in_lines(keys: Sequence[str]) -> list[str]:
    """Join keys, and begin a new line before one that doesn't fit."""
    lines: list[str] = []
    for key in keys:
        longer = f"{lines[-1]}; {key}" if lines else key
        lines[-1:] = [longer] if width(longer) <= PAGE else [*lines[-1:], key]
    return lines


def key_texts(legend: Legend) -> list[str]:
    return [key_text(key) for key in legend.keys]


def key_text(key: Key) -> str:
    signs = " ".join(f"{cell.sign} {cell.label}" for cell in key.cells)
    return f"{key.title}: {signs}" if key.title else signs


def head_texts(legend: Legend) -> list[str]:
    return [f"{head}: {meaning}" for head, meaning in legend.heads]


def has_own_row(board: Board) -> bool:
    return any(row.is_own for part in board.parts if isinstance(part, Table) for row in part.rows)


def board_speech(board: Board) -> str:
    heading = sentence(", ".join(part for part in (board.title, board.status) if part))
    summary = speak(board.summary) if board.summary else ()
    return "\n".join([heading, *summary, *(told for part in board.parts for told in speak(part))])


def speak(part: Part) -> Iterator[str]:
    match part:
        case Grid():
            yield from speak_panel(part)
            yield from speak_grid(part) if part.spoken is None else part.spoken
        case Table():
            yield from (row.spoken or speak_figures(part, row) for row in part.rows)
        case Cards(cards=cards):
            yield from (card.spoken or speak_card(card) for card in cards)
        case Note(spoken="", is_own=True):
            yield from map(sentence, part.lines)
        case Note():
            yield part.spoken or " ".join(map(sentence, part.lines))


def speak_panel(grid: Grid) -> Iterator[str]:
    if grid.panel:
        for entry in grid.panel.entries:
            yield entry.spoken or sentence(f"{entry.cell.label}, {grid.panel.caption} {entry.holder}")


def speak_grid(grid: Grid) -> Iterator[str]:
    if not grid.columns:
        yield from (row.spoken or speak_row(row) for row in grid.rows)
        return
    squares: dict[str, list[str]] = {}
    for row in grid.rows:
        for cell in row.cells:
            if cell.sign:
                squares.setdefault(cell.label, []).append(cell.square)
    yield from (sentence(f"{label}: {', '.join(named)}") for label, named in squares.items())


def speak_row(row: Row) -> str:
    held = listing([cell.label or cell.text for cell in row.cells])
    return sentence(f"{row.name}: {', '.join(part for part in (held, row.note) if part) or 'nothing'}")


def speak_figures(table: Table, row: Row) -> str:
    figures = [f"{head.label or head.text} {cell.text or 0}" for head, cell in zip(table.heads, row.cells, strict=True)]
    return sentence(f"{row.name}: {', '.join(figures)}" if figures else row.name)


def speak_card(card: Card) -> str:
    return sentence("; ".join(part for part in (f"{card.name} is {card.text}", ways_text(card), card.note) if part))


def sentence(text: str) -> str:
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    return ended[:1].upper() + ended[1:]
