"""A view as tables of coloured cells, in the order and the words of the picture."""

from collections.abc import Sequence
from functools import cache

from games.engine.coloretto.cards import COLOURS, GOLDEN_JOKER, JOKER, NAMES, PLUS_TWO, jokers
from games.engine.coloretto.picture import NAME_WIDTH, card_word, headline, result, signs, whose_turn
from games.engine.coloretto.view import PlayerView, RowView, View
from games.engine.sheet import Cell, Colour, Grid, Note, Sheet
from games.engine.text import cut

TINTS: dict[str, Colour] = {
    "B": "blue",
    "G": "green",
    "O": "orange",
    "P": "pink",
    "R": "red",
    "V": "violet",
    "Y": "yellow",
    PLUS_TWO: "silver",
    JOKER: "dark",
    GOLDEN_JOKER: "gold",
}
EMPTY = Cell("·")
FREE = Cell("[ ]", label="free")
CARDS = {letter: Cell(card_word(letter).strip(), tint, NAMES[letter]) for letter, tint in TINTS.items()}


def sheet(view: View, names: Sequence[str]) -> Sheet:
    names = [cut(name, NAME_WIDTH) for name in names]
    rows = () if view.over else (rows_of_cards(view, names),)
    closing = result(view, names) if view.over else whose_turn(view, names)
    heading = Note(headline(view).replace("   ", ", ").replace("\n", ". "))
    return (heading, *rows, players(view, names), Note(closing), Note("; ".join(legend(view)), aside=True))


def legend(view: View) -> list[str]:
    now = [] if view.over else ["▶ to move", "now: the score if the game ended now"]
    return [signs(view), *now]


def rows_of_cards(view: View, names: Sequence[str]) -> Grid:
    most = max(row.room for row in view.rows)
    return Grid(tuple(row_cells(row, most, names) for row in view.rows), squares=True)


def row_cells(row: RowView, most: int, names: Sequence[str]) -> tuple[Cell, ...]:
    cards = [CARDS[letter] for letter in row.cards] + [FREE] * (row.room - len(row.cards))
    if row.taken_by is not None:
        return (Cell(f"Row {row.row}"), *[Cell()] * most, Cell(f"taken by {names[row.taken_by]}"))
    full = "full" if len(row.cards) == row.room else ""
    return (Cell(f"Row {row.row}"), *cards, *[Cell()] * (most - row.room), Cell(full))


def players(view: View, names: Sequence[str]) -> Grid:
    colours = [Cell(letter, TINTS[letter], COLOURS[letter]) for letter in view.colours]
    points = [Cell("points" if view.over else "now"), *([Cell("total")] if view.games > 1 else [])]
    heads = (Cell(), *colours, Cell("+2"), Cell("Jo", label="jokers"), *points)
    return Grid(tuple(player_cells(view, player, names) for player in view.players), heads)


def player_cells(view: View, player: PlayerView, names: Sequence[str]) -> tuple[Cell, ...]:
    mark = "▶ " if player.seat in view.awaiting else ""
    you = " (you)" if player.seat == view.seat else ""
    held = [count_cell(player.hand.count(letter), TINTS[letter]) for letter in view.colours]
    extras = [count_cell(count) for count in (player.hand.count(PLUS_TWO), jokers(player.hand))]
    total = [Cell(str(player.total))] if view.games > 1 else []
    return (Cell(f"{mark}{names[player.seat]}{you}"), *held, *extras, Cell(str(player.score_now.total)), *total)


@cache
def count_cell(count: int, colour: Colour = "") -> Cell:
    return Cell(str(count), colour) if count else EMPTY
