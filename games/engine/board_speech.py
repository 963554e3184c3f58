"""A board in sentences, in the order in which one would ask for it; for those who listen to their screen."""

from collections.abc import Iterator

from games.engine.board import Board, Card, Cards, Grid, Note, Part, Row, Table
from games.engine.board_text import ways_text
from games.engine.text import listing


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
