"""Render a board as HTML: tables and lists that fit on a phone, with buttons where the board can be tapped.

Colors are classes, because the content security policy doesn't allow inline styles. Every colored cell has a symbol,
and screen readers get words instead of symbols.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from django.utils.safestring import SafeString, mark_safe

from games.engine.board import Board, Card, Cards, Cell, Entry, Grid, Head, Legend, Mark, Note, Panel, Part, Row, Table
from games.engine.board_text import speak_grid, speak_panel, speak_row

SHAPES = {"[]": "land", "()": "disc", "~~": "wave", "<>": "sale"}
"""CSS classes that draw a cell's edges."""
MARKS: dict[Mark, str] = {"": "", "awaited": "▶", "decided": "✓"}
NOBODY = "–"
FORM = "choose"
"""The id of the form that taps are sent with."""


@dataclass(frozen=True)
class Taps:
    """The places on a board that can be tapped, with labels for screen readers; those that are chosen and can be
    taken back; and those of a move that only has to be confirmed."""

    open: Mapping[str, str] = field(default_factory=dict)
    chosen: Collection[str] = ()
    marked: Collection[str] = ()


NO_TAPS = Taps()


@dataclass(frozen=True)
class Drawing:
    """A board in two parts, so that the controls can follow the question and the places to tap. The tables of
    figures come after the controls."""

    table: SafeString
    figures: SafeString


def draw(board: Board, taps: Taps = NO_TAPS) -> Drawing:
    heading = f'<p class="status">{escape(", ".join(part for part in (board.title, board.status) if part))}</p>'
    summary = [note(board.summary)] if board.summary else []
    meanings = dict(board.legend.marks)
    table: list[str] = []
    figures: list[str] = []
    for part in board.parts:
        (figures if isinstance(part, Table) else table).extend(write(part, taps, meanings))
    return Drawing(joined([heading, *summary, *table]), joined([*figures, legend(board.legend)]))


def joined(parts: list[str]) -> SafeString:
    return mark_safe("\n".join(parts))  # noqa: S308 - every part is escaped


def write(part: Part, taps: Taps, meanings: Mapping[Mark, str]) -> Iterator[str]:
    match part:
        case Grid() if part.columns:
            yield squares(part, taps)
            if part.panel:
                yield panel(part.panel)
        case Grid():
            yield card_rows(part, taps)
        case Table():
            yield table(part, meanings)
        case Cards(cards=cards):
            yield f'<ul class="game-cards">{"".join(card(each, taps) for each in cards)}</ul>'
        case Note():
            yield note(part)


def note(part: Note) -> str:
    looks = " ".join(["note", *filter(None, [part.tone, "own" if part.is_own else ""])])
    return f'<p class="{looks}">{"<br>".join(map(escape, part.lines))}</p>'


def hidden(text: str) -> str:
    """Return text that only screen readers present."""
    return f'<span class="aside">{escape(text)}</span>'


def tap(place: str, label: str, content: str, taps: Taps, looks: str = "") -> str:
    """Render a button if the place can be tapped. A chosen place can be tapped again to take it back."""
    is_chosen = place in taps.chosen
    looks = " ".join(filter(None, [looks, "tap", "chosen" if is_chosen else ""]))
    named = f"{label}: {taps.open[place]}" if taps.open.get(place) else label
    return (
        f'<button type="submit" class="{looks}" form="{FORM}" name="tap" value="{escape(place)}" '
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
    """Return the text of a cell. Known edges are drawn by CSS; others are written out."""
    return escape(cell.text if cell.edges in SHAPES or not cell.edges else cell.sign)


def chip(cell: Cell, label: str = "") -> str:
    """Render a symbol within text, with a label for screen readers."""
    spoken = hidden(label or cell.label) if label or cell.label else ""
    silent = ' aria-hidden="true"' if spoken else ""
    return f'<span class="chip {cell_looks(cell)}"{silent}>{cell_text(cell)}</span>{spoken}'


def squares(grid: Grid, taps: Taps) -> str:
    """Render the squares, with row names only on the left, because space is scarce on a phone."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(row.name)}</th>{"".join(square(cell, taps) for cell in row.cells)}</tr>'
        for row in grid.rows
    )
    told = " ".join([*speak_panel(grid), *(speak_grid(grid) if grid.spoken is None else grid.spoken)])
    return (
        f'<table class="squares"><caption class="aside">{escape(told)}</caption>'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{rows}</tbody></table>"
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
    where = escape(shown.note) if shown.note else ways(shown)
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


def ways(shown: Card) -> str:
    """Say how a card can be placed: "D7 with D8 or E7; F3 alone"."""
    told = [
        f"<b>{escape(place)}</b>{' + ' if others else ''}{escape(' '.join(others))}" for place, others in shown.ways
    ]
    return "; ".join(told)


def rotations(picture: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Rotate the picture by 0, 90, 180 and 270 degrees, without repetitions."""
    seen, matrix = set(), [line.split(" ") for line in picture]
    for _ in range(4):
        lines = tuple(" ".join(line) for line in matrix)
        if any(lines) and lines not in seen:
            seen.add(lines)
            yield lines
        matrix = [list(line) for line in zip(*matrix[::-1], strict=True)]


def table(part: Table, meanings: Mapping[Mark, str]) -> str:
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


def legend(explained: Legend) -> str:
    keys = [
        (f"{escape(key.title)}: " if key.title else "") + " ".join(legend_entry(cell) for cell in key.cells)
        for key in explained.keys
    ]
    marks = [f"{MARKS[mark]} {escape(meaning)}" for mark, meaning in explained.marks]
    heads = [f"{escape(head)}: {escape(meaning)}" for head, meaning in explained.heads]
    told = " · ".join([*keys, *marks, *heads])
    return f'<p class="legend">{told}</p>' if told else ""


def legend_entry(cell: Cell) -> str:
    symbol = f'<span class="chip {cell_looks(cell)}" aria-hidden="true">{cell_text(cell)}</span>'
    return f'<span class="key">{symbol} {escape(cell.label)}</span>'
