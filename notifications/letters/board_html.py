"""Render a board as HTML tables for mail programs. Every colored cell has its own text color and a symbol."""

from collections.abc import Iterator
from html import escape

from games.engine.board import PAINTS, Board, Card, Cards, Cell, Grid, Head, Legend, Note, Panel, Part, Row, Table
from games.engine.board_text import head_texts, key_texts, ways_text
from notifications.letters.html_style import ASIDE, CELL, INK, MONO, SANS, SHADE, SMALL

SQUARE = f"{MONO};font-size:12px;line-height:26px;text-align:center;width:28px;min-width:22px;padding:0"
BESIDE = f"{SANS};font-size:13px;line-height:26px;text-align:left;font-weight:normal;padding:0 6px;white-space:nowrap"
ENTRY = f"{CELL};font-weight:normal;padding:4px 7px;text-align:center"
FIRST_ENTRY = f"{CELL};font-weight:normal;padding:4px 10px 4px 0;text-align:left;white-space:nowrap"
WORDS = f"{CELL};font-weight:normal;padding:4px 7px;text-align:left"
SIZES = {SQUARE: "square", BESIDE: "beside"}
MARKS = {"": "", "awaited": "▶ ", "decided": "✓ "}
EMPTY, FREE_PLACE, NOBODY = "·", "[ ]", "–"
GAP_BETWEEN_SQUARES = 2


def board_html(board: Board) -> str:
    heading = div(escape(", ".join(part for part in (board.title, board.status) if part)))
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


def div(content: str) -> str:
    return f'<div style="padding:4px 0">{content}</div>'


def note(part: Note) -> str:
    lines = "<br>\n".join(map(escape, part.lines))
    return div(f"<b>{lines}</b>" if part.tone == "strong" else lines)


def legend(explained: Legend) -> str:
    marks = [f"{MARKS[mark]}{meaning}" for mark, meaning in explained.marks]
    told = "; ".join([*key_texts(explained), *marks, *head_texts(explained)])
    return f'<div class="faint" style="{SMALL};padding:6px 0 0 0">{escape(told)}</div>' if told else ""


def grid(part: Grid) -> str:
    """Render a grid with the row names on both sides, or with the row's note on the right."""
    most = max(len(row.cells) for row in part.rows)
    heads = [td("", BESIDE, "th"), *(td(column, SQUARE, "th") for column in part.columns), td("", BESIDE, "th")]
    rows = [tr(heads)] if part.columns else []
    return aligned([*rows, *(tr(grid_row(part, row, most)) for row in part.rows)], squares=True)


def grid_row(part: Grid, row: Row, most: int) -> list[str]:
    squares = [square(cell, FREE_PLACE if part.has_boxes else EMPTY) for cell in row.cells]
    missing = [td("", SQUARE)] * (most - len(row.cells))
    return [td(row.name, BESIDE), *squares, *missing, td(row.name if part.columns else row.note, BESIDE)]


def square(cell: Cell, empty: str) -> str:
    title = f"{cell.square}: {cell.label}" if cell.square else cell.label
    return shown(cell, SQUARE, title) if cell.colour else td(cell.sign or empty, SQUARE, title=title, shade=True)


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
    kind, gap = (' class="squares"', GAP_BETWEEN_SQUARES) if squares else ("", 0)
    body = "\n".join(rows)
    return (
        f'<div style="{ASIDE};padding:4px 0"><table{kind} cellpadding="0" cellspacing="{gap}">\n{body}\n</table></div>'
    )


def tr(cells: Iterator[str] | list[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def td(text: str, place: str, tag: str = "td", title: str = "", *, shade: bool = False) -> str:
    looks = f"ink edge {SIZES.get(place, 'entry')}" + " code" * shade
    paper = f";background:{SHADE}" if shade else ""
    return f'<{tag}{titled(title)} class="{looks}" style="{place}{paper};color:{INK}">{escape(text)}</{tag}>'


def shown(cell: Cell, place: str, title: str = "", tag: str = "td") -> str:
    title = title or cell.label
    if not cell.colour:
        return td(cell.sign or EMPTY, place, tag, title)
    paper, ink = PAINTS[cell.colour]
    look = f"{place};background:{paper};color:{ink};font-weight:bold"
    size = SIZES.get(place, "entry")
    return f'<{tag}{titled(title)} class="{size}" style="{look}">{escape(cell.sign)}</{tag}>'


def titled(title: str) -> str:
    return f' title="{escape(title)}"' if title else ""
