"""A game's sheet as HTML tables that mail programs leave alone. Every coloured cell has its own ink, and its sign."""

from html import escape

from games.engine.sheet import Cell, Grid, Note, Sheet
from notifications.letters.html_style import ASIDE, CELL, INK, MONO, SANS, SHADE, SMALL

PAINTS = {
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
SQUARE = f"{MONO};font-size:12px;line-height:26px;text-align:center;width:28px;min-width:22px;padding:0"
BESIDE = f"{SANS};font-size:13px;line-height:26px;text-align:left;font-weight:normal;padding:0 6px;white-space:nowrap"
ENTRY = f"{CELL};font-weight:normal;padding:4px 7px;text-align:center"
FIRST_ENTRY = f"{CELL};font-weight:normal;padding:4px 10px 4px 0;text-align:left;white-space:nowrap"
WORDS = f"{CELL};font-weight:normal;padding:4px 7px;text-align:left"
SIZES = {SQUARE: "square", BESIDE: "beside"}
MOST_SIGNS = 8
"""Whatever is longer is words."""


def sheet_html(sheet: Sheet) -> str:
    return "\n".join(note(part) if isinstance(part, Note) else grid(part) for part in sheet)


def note(part: Note) -> str:
    if part.aside:
        return f'<div class="faint" style="{SMALL};padding:6px 0 0 0">{escape(part.text)}</div>'
    return f'<div style="padding:4px 0">{escape(part.text)}</div>'


def grid(part: Grid) -> str:
    tagged = [("th", part.heads)] * bool(part.heads) + [("td", cells) for cells in part.rows]
    rows = "\n".join(row(cells, tag, part.squares) for tag, cells in tagged)
    kind = ' class="squares"' if part.squares else ""
    table = f'<table{kind} cellpadding="0" cellspacing="{2 * part.squares}">\n{rows}\n</table>'
    return f'<div style="{ASIDE};padding:4px 0">{table}</div>'


def row(cells: tuple[Cell, ...], tag: str, squares: bool) -> str:
    places = [place_in_squares, place_in_table][not squares]
    return "<tr>" + "".join(write(cell, tag, places(cells, number)) for number, cell in enumerate(cells)) + "</tr>"


def place_in_squares(cells: tuple[Cell, ...], number: int) -> str:
    return SQUARE if 0 < number < len(cells) - 1 else BESIDE


def place_in_table(cells: tuple[Cell, ...], number: int) -> str:
    if number == 0:
        return FIRST_ENTRY
    return WORDS if len(cells[number].text) > MOST_SIGNS else ENTRY


def write(cell: Cell, tag: str, place: str) -> str:
    title = f' title="{escape(cell.label)}"' if cell.label else ""
    size = SIZES.get(place, "entry")
    if cell.colour:
        paper, ink = PAINTS[cell.colour]
        look = f"{place};background:{paper};color:{ink};font-weight:bold"
        return f'<{tag}{title} class="{size}" style="{look}">{escape(cell.text)}</{tag}>'
    free = f";background:{SHADE}" if place is SQUARE and cell.text and tag == "td" else ""
    looks = f"ink edge {size}" + " code" * bool(free)
    return f'<{tag}{title} class="{looks}" style="{place}{free};color:{INK}">{escape(cell.text)}</{tag}>'
