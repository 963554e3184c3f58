"""Render a board as HTML tables for mail programs. Every colored cell has its own text color and a symbol."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape

from games.engine.board import PAINTS, Board, Card, Cards, Cell, Grid, Head, Legend, Note, Panel, Part, Row, Table
from games.engine.board_text import head_texts, key_texts, ways_text
from notifications.letters.html_style import ASIDE, SMALL

SQUARE, BESIDE, ENTRY, FIRST_ENTRY, WORDS = "", "beside", "", "first", "words"
"""The classes of cells. Their sizes are in the style sheet, because a board has hundreds of cells. Squares and entries
have no class of their own, because their tables have one."""
MARKS = {"": "", "awaited": "▶ ", "decided": "✓ "}
LINE_BREAK, LONGEST_ROW = "\n", 900
"""If a row has more bytes, its cells are on separate lines, because a line in an email must not exceed 998 bytes."""
EMPTY, FREE_PLACE, NOBODY = "·", "[ ]", "–"
GAP_BETWEEN_SQUARES = 2


def board_html(board: Board) -> str:
    heading = div(content(", ".join(part for part in (board.title, board.status) if part)))
    summary = [note(board.summary)] if board.summary else []
    parts = [written for part in board.parts for written in write(part)]
    return "\n".join([heading, *summary, *parts, legend(board.legend)])


def write(part: Part) -> Iterator[str]:
    match part:
        case Grid():
            yield grid(part)
            if part.panel:
                yield panel(part.panel)
        case Table():
            yield table(part)
        case Cards(cards=cards):
            yield aligned([card_row(card) for card in cards])
        case Note():
            yield note(part)


def content(text: str) -> str:
    """Escape the text of an element. Unlike in attributes, quotation marks can stay."""
    return escape(text, quote=False)


def div(inner: str) -> str:
    return f'<div style="padding:4px 0">{inner}</div>'


def note(part: Note) -> str:
    lines = "<br>\n".join(map(content, part.lines))
    return div(f"<b>{lines}</b>" if part.tone == "strong" else lines)


def legend(explained: Legend) -> str:
    marks = [f"{MARKS[mark]}{meaning}" for mark, meaning in explained.marks]
    told = "; ".join([*key_texts(explained), *marks, *head_texts(explained)])
    return f'<div class="faint small" style="{SMALL};padding:6px 0 0 0">{content(told)}</div>' if told else ""


def grid(part: Grid) -> str:
    """Render a grid with the row names on both sides, or with the row's note on the right."""
    most = max(len(row.cells) for row in part.rows)
    heads = [td("", BESIDE, "th"), *(td(column, SQUARE, "th") for column in part.columns), td("", BESIDE, "th")]
    rows = [tr(heads)] if part.columns else []
    return aligned([*rows, *(tr(grid_row(part, row, most)) for row in part.rows)], squares=True)


def grid_row(part: Grid, row: Row, most: int) -> list[str]:
    squares = [square(cell, FREE_PLACE if part.has_boxes else EMPTY) for cell in row.cells]
    missing = [td("", SQUARE, "th")] * (most - len(row.cells))
    last = row.name if part.columns else row.note
    return [td(row.name, BESIDE), *squares, *missing, *([td(last, BESIDE)] if last else [])]


@lru_cache(maxsize=4096)
def square(cell: Cell, empty: str) -> str:
    title = f"{cell.square}: {cell.label}" if cell.square else cell.label if cell.sign else ""
    return shown(cell, SQUARE, title) if cell.colour else td(cell.sign or empty, SQUARE, title=title)


def panel(listed: Panel) -> str:
    """Render two rows: the items, and the players who hold them."""
    things = [td(listed.title, FIRST_ENTRY), *(shown(entry.cell, ENTRY) for entry in listed.entries)]
    holders = [shown(entry.holder_sign or Cell(NOBODY), ENTRY, entry.holder) for entry in listed.entries]
    return aligned([tr(things), tr([td(listed.caption, FIRST_ENTRY), *holders])])


def card_row(card: Card) -> str:
    where = card.note or ways_text(card)
    return tr([td(card.name, FIRST_ENTRY), shown(card.cell, ENTRY), td(card.text, WORDS), td(where, WORDS)])


def table(part: Table) -> str:
    has_signs = any(row.sign for row in part.rows)
    heads = [td("", FIRST_ENTRY, "th"), *[td("", ENTRY, "th")] * has_signs, *map(head, part.heads)]
    return aligned([tr(heads), *(tr(table_row(row)) for row in part.rows)])


def head(column: Head) -> str:
    return shown(Cell(column.text, colour=column.colour, label=column.label), ENTRY, tag="th")


def table_row(row: Row) -> Iterator[str]:
    yield td(f"{MARKS[row.mark]}{row.name}{' (you)' if row.is_own else ''}", FIRST_ENTRY)
    if row.sign:
        yield shown(row.sign, ENTRY)
    for cell in row.cells:
        yield shown(cell, ENTRY)


def aligned(rows: list[str], *, squares: bool = False) -> str:
    kind, gap = ("squares", GAP_BETWEEN_SQUARES) if squares else ("entries", 0)
    body = "\n".join(rows)
    table = f'<table class="{kind}" cellpadding="0" cellspacing="{gap}">\n{body}\n</table>'
    return f'<div style="{ASIDE};padding:4px 0">{table}</div>'


def tr(cells: Iterable[str]) -> str:
    written = list(cells)
    row = "".join(written)
    return f"<tr>{LINE_BREAK.join(written) if len(row.encode()) > LONGEST_ROW else row}</tr>"


@lru_cache(maxsize=4096)
def td(text: str, place: str, tag: str = "td", title: str = "") -> str:
    return f"<{tag}{titled(title)}{classed(place)}>{content(text)}</{tag}>"


@lru_cache(maxsize=4096)
def shown(cell: Cell, place: str, title: str = "", tag: str = "td") -> str:
    title = title or cell.label
    if not cell.colour:
        return td(cell.sign, place, tag, title) if cell.sign else td(EMPTY, place, tag)
    paper, ink = map(short, PAINTS[cell.colour])
    looks = f'{classed(place)} style="background:{paper};color:{ink}"'
    return f"<{tag}{titled(title)}{looks}><b>{content(cell.sign)}</b></{tag}>"


def classed(name: str) -> str:
    return f' class="{name}"' if name else ""


def short(colour: str) -> str:
    """Write #ffffff as #fff."""
    return "#" + colour[1::2] if colour[1::2] == colour[2::2] else colour


def titled(title: str) -> str:
    return f' title="{escape(title)}"' if title else ""
