"""Render a board as HTML: tables and lists that fit on a phone, with buttons where the board can be tapped.

Colors are classes, because the content security policy doesn't allow inline styles. Every colored cell has a symbol,
and screen readers get words instead of symbols.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from django.utils.safestring import SafeString, mark_safe

from games.engine.board import Board, Card, Cards, Cell, Entry, Grid, Head, Legend, Mark, Note, Panel, Row, Table
from games.engine.board_text import speak_grid, speak_panel, speak_row, ways_text

SHAPES = {"[]": "land", "()": "disc", "~~": "wave", "<>": "sale"}
"""CSS classes that draw a cell's edges."""
MARKS: dict[Mark, str] = {"": "", "awaited": "▶", "decided": "✓"}
NOBODY = "–"
FORM = "choose"
"""The ID of the form that taps are sent with."""


@dataclass(frozen=True)
class Taps:
    """The places on a board that can be tapped, with labels for screen readers; the places that are chosen and can be
    taken back; and the places of a move that only has to be confirmed.
    """

    open: Mapping[str, str] = field(default_factory=dict)
    chosen: Collection[str] = ()
    marked: Collection[str] = ()


NO_TAPS = Taps()


@dataclass(frozen=True)
class Drawing:
    """A board in three parts.

    The match page shows its controls above the figures, so that they follow the places to tap. It updates the notes
    whenever somebody has decided, even while a player is tapping on the table.
    """

    table: SafeString
    notes: SafeString
    figures: SafeString


def draw(board: Board, taps: Taps = NO_TAPS, *, has_own_notes: bool = True) -> Drawing:
    heading = f'<p class="status">{escape(", ".join(part for part in (board.title, board.status) if part))}</p>'
    summary = [note(board.summary)] if board.summary else []
    meanings = dict(board.legend.marks)
    table: list[str] = []
    notes: list[str] = []
    figures: list[str] = []
    for part in board.parts:
        match part:
            case Note(is_own=True) if not has_own_notes:
                pass
            case Note():
                notes.append(note(part))
            case Table():
                figures.append(figure_table(part, meanings))
            case _:
                table.extend(write(part, taps))
    heads = [head for part in board.parts if isinstance(part, Table) for head in part.heads]
    return Drawing(joined([heading, *summary, *table]), joined(notes), joined([*figures, legend(board.legend, heads)]))


def joined(parts: list[str]) -> SafeString:
    return mark_safe("\n".join(parts))  # noqa: S308 - every part is escaped


def write(part: Grid | Cards, taps: Taps) -> Iterator[str]:
    match part:
        case Grid() if part.columns:
            yield squares(part, taps)
            if part.panel:
                yield panel(part.panel)
        case Grid():
            yield card_rows(part, taps)
        case Cards(cards=cards):
            yield f'<ul class="game-cards">{"".join(card(each, taps) for each in cards)}</ul>'


def note(part: Note) -> str:
    looks = " ".join(["note", *filter(None, [part.tone, "own" if part.is_own else ""])])
    return f'<p class="{looks}">{"<br>".join(map(escape, part.lines))}</p>'


def hidden(text: str) -> str:
    """Return text that only screen readers present."""
    return f'<span class="aside">{escape(text)}</span>'


def tap(place: str, label: str, content: str, taps: Taps, looks: str = "") -> str:
    """Render a button if the place can be tapped. Tapping a chosen place takes it back."""
    is_chosen = place in taps.chosen
    looks = " ".join(filter(None, [looks, "tap", "chosen" if is_chosen else ""]))
    named = f"{label}: {taps.open[place]}" if taps.open.get(place) else label
    return (
        f'<button type="submit" id="tap-{escape(place.replace(" ", "-"))}" class="{looks}" form="{FORM}" name="tap" '
        f'value="{escape(place)}" '
        f'aria-pressed="{str(is_chosen).lower()}" aria-label="{escape(named)}">{content}</button>'
    )


def can_tap(place: str, taps: Taps) -> bool:
    return place in taps.open or place in taps.chosen


def cell_looks(cell: Cell) -> str:
    shape = SHAPES.get(cell.edges, "")
    return " ".join(
        filter(None, [f"paint-{cell.colour}" if cell.colour else "", shape, "asked-about" * cell.is_marked])
    )


def cell_text(cell: Cell) -> str:
    """Return the text of a cell. Common edges are drawn with CSS, and others are written out."""
    return escape(cell.text if cell.edges in SHAPES or not cell.edges else cell.sign)


def chip(cell: Cell, label: str = "") -> str:
    """Render a symbol within text, with a label for screen readers."""
    spoken = hidden(label or cell.label) if label or cell.label else ""
    silent = ' aria-hidden="true"' if spoken else ""
    return f'<span class="chip {cell_looks(cell)}"{silent}>{cell_text(cell)}</span>{spoken}'


def squares(grid: Grid, taps: Taps) -> str:
    """Render the squares, with row names only on the left, because space is scarce on a phone. If squares can be
    tapped, they are large, and the board may be wider than the screen."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(row.name)}</th>{"".join(square(cell, taps) for cell in row.cells)}</tr>'
        for row in grid.rows
    )
    is_tapped = any(can_tap(cell.square, taps) for row in grid.rows for cell in row.cells)
    told = " ".join([*speak_panel(grid), *(speak_grid(grid) if grid.spoken is None else grid.spoken)])
    return (
        f'<div class="scroll"><table class="squares{" large" if is_tapped else ""}">'
        f'<caption class="aside">{escape(told)}</caption>'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def square(cell: Cell, taps: Taps) -> str:
    label = f"{cell.square}, {cell.label}" if cell.square else cell.label
    looks, text = cell_looks(cell), cell_text(cell)
    if can_tap(cell.square, taps):
        return f"<td>{tap(cell.square, label, text, taps, looks)}</td>"
    if cell.square in taps.marked:
        return f'<td><span class="{looks} marked" role="img" aria-label="{escape(label)}, chosen">{text}</span></td>'
    if not text:
        return "<td></td>"
    return f'<td class="{looks}" aria-label="{escape(label)}">{text}</td>'


def panel(listed: Panel) -> str:
    entries = "".join(panel_entry(entry, listed.caption) for entry in listed.entries)
    return (
        f'<p class="held-list" aria-hidden="true"><span class="held-title">{escape(listed.title)}</span> {entries}</p>'
    )


def panel_entry(entry: Entry, caption: str) -> str:
    holder = entry.holder_sign
    shown = f'<span class="chip {cell_looks(holder)}">{cell_text(holder)}</span>' if holder else NOBODY
    title = escape(f"{entry.cell.label}, {caption} {entry.holder}")
    thing = f'<span class="chip {cell_looks(entry.cell)}">{cell_text(entry.cell)}</span>'
    return f'<span class="held" title="{title}">{thing}{shown}</span>'


def card_rows(grid: Grid, taps: Taps) -> str:
    return f'<ul class="card-rows">{"".join(f"<li>{card_row(row, taps)}</li>" for row in grid.rows)}</ul>'


def card_row(row: Row, taps: Taps) -> str:
    """Render a row of cards as a single button."""
    cells = "".join(f'<span class="card-place {cell_looks(cell)}">{cell_text(cell)}</span>' for cell in row.cells)
    beside = f'<span class="beside">{escape(row.note)}</span>' if row.note else ""
    content = f'<span class="row-name">{escape(row.name)}</span>{cells}{beside}'
    spoken = row.spoken or speak_row(row)
    if can_tap(row.name, taps):
        action = taps.open.get(row.name) or row.name
        return tap(row.name, f"{action}. {spoken}", content, Taps(chosen=taps.chosen), "card-row")
    looks = "card-row marked" if row.name in taps.marked else "card-row"
    return (
        f'<div class="{looks}"><span aria-hidden="true" class="card-row-cells">{content}</span>{hidden(spoken)}</div>'
    )


def card(shown: Card, taps: Taps) -> str:
    where = escape(shown.note or ways_text(shown))
    turns = "".join(f'<span class="turn">{"<br>".join(lines)}</span>' for lines in rotations(shown.picture))
    content = (
        f'{chip(shown.cell)} <span class="card-text"><b>{escape(shown.name)}</b> {escape(shown.text)}</span>'
        f'<span class="turns" aria-hidden="true">{turns}</span>'
    )
    if can_tap(shown.name, taps):
        label = f"{shown.name}, {shown.text}"
        content = tap(shown.name, label, content, taps, "game-card")
    else:
        content = f'<div class="game-card{" marked" if shown.name in taps.marked else ""}">{content}</div>'
    return f'<li>{content}<p class="where">{where}</p></li>'


def rotations(picture: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Rotate the picture by 0, 90, 180 and 270 degrees, without repetitions."""
    seen, matrix = set(), [line.split(" ") for line in picture]
    for _ in range(4):
        lines = tuple(" ".join(line) for line in matrix)
        if any(lines) and lines not in seen:
            seen.add(lines)
            yield lines
        matrix = [list(line) for line in zip(*matrix[::-1], strict=True)]


def figure_table(part: Table, meanings: Mapping[Mark, str]) -> str:
    heads = "".join(f'<th scope="col" class="{head_looks(head)}">{head_text(head)}</th>' for head in part.heads)
    rows = "".join(table_row(row, meanings) for row in part.rows)
    return (
        f'<table class="figures"><thead><tr><th scope="col"><span class="aside">Player</span></th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def head_looks(head: Head) -> str:
    return f"paint-{head.colour}" if head.colour else ""


def head_text(head: Head) -> str:
    """Render a heading, with a short form for narrow screens. Screen readers get the full words."""
    if not head.short and not head.label:
        return escape(head.text)
    short = f'<span class="short">{escape(head.short)}</span>' if head.short else ""
    shown = f'<span class="{"long" if short else ""}">{escape(head.text)}</span>{short}'
    return f'<span aria-hidden="true">{shown}</span>{hidden(head.label or head.text)}'


def table_row(row: Row, meanings: Mapping[Mark, str]) -> str:
    mark = f'<span aria-hidden="true">{MARKS[row.mark]}</span>{hidden(meanings.get(row.mark, row.mark))} '
    lead = (mark if row.mark else "") + (chip(row.sign) + " " if row.sign else "")
    own = ' <span class="you">(you)</span>' if row.is_own else ""
    cells = "".join(figure(cell) for cell in row.cells)
    looks = " ".join(filter(None, ["own" if row.is_own else "", row.mark]))
    return (
        f'<tr class="{looks}"><th scope="row">{lead}<span class="name">{escape(row.name)}</span>{own}</th>{cells}</tr>'
    )


def figure(cell: Cell) -> str:
    if not cell.text:
        return f'<td class="none">{hidden(cell.label or "none")}</td>'
    return f'<td class="{cell_looks(cell)}">{cell_text(cell)}</td>'


def legend(explained: Legend, shortened: Sequence[Head]) -> str:
    """Explain the symbols and, on narrow screens, the shortened headings."""
    keys = [
        (f"{escape(key.title)}: " if key.title else "") + " ".join(legend_entry(cell) for cell in key.cells)
        for key in explained.keys
    ]
    marks = [f'<span class="key">{MARKS[mark]} {escape(meaning)}</span>' for mark, meaning in explained.marks]
    heads = [f"{escape(head)}: {escape(meaning)}" for head, meaning in explained.heads]
    told = " · ".join([*keys, *marks, *heads])
    short = {head.short: head.text for head in shortened if head.short}
    if short:
        pairs = ", ".join(f"{escape(head)}: {escape(text)}" for head, text in short.items())
        told += f'<span class="short"> · {pairs}</span>'
    return f'<p class="legend">{told}</p>' if told else ""


def legend_entry(cell: Cell) -> str:
    symbol = f'<span class="chip {cell_looks(cell)}" aria-hidden="true">{cell_text(cell)}</span>'
    return f'<span class="key">{symbol} {escape(cell.label)}</span>'
