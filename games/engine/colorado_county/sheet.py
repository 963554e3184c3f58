"""A view as tables of coloured cells, in the order, the words and the signs of the picture."""

from collections.abc import Sequence
from functools import lru_cache

from games.engine.colorado_county import picture
from games.engine.colorado_county.geometry import COLUMNS, FACE_DOWN, FLAGS, LAKES, OWNERS
from games.engine.colorado_county.picture import NAME_WIDTH, SEAT_LETTERS
from games.engine.colorado_county.view import CardView, PlayerView, View
from games.engine.sheet import Cell, Colour, Grid, Note, Sheet
from games.engine.text import cut

SEAT_TINTS: tuple[Colour, ...] = ("sky", "pink", "violet", "yellow")
FLAG_TINTS: dict[str, Colour] = {"R": "red", "G": "green", "O": "orange", "B": "blue"}

Names = Sequence[str]


def sheet(view: View, names: Names) -> Sheet:
    names = [cut(name, NAME_WIDTH) for name in names]
    cards = () if view.over or not view.cards else (Grid(tuple(card_cells(view, card, names) for card in view.cards)),)
    heading = Note(", ".join(picture.headline(view)[0].split("   ")))
    legend = Note("; ".join([picture.SIGNS, *marks(view)]), aside=True)
    return (heading, board(view), lakes(view), *cards, players(view, names), *map(Note, said(view, names)), legend)


def said(view: View, names: Names) -> list[str]:
    if view.over:
        return [picture.who_won(view, names)]
    return [" ".join(picture.now(view, names)), *picture.own_words(view)]


def marks(view: View) -> list[str]:
    sale = ["<A> for sale"] if view.sale else []
    return [] if view.over else [*sale, "▶ awaited", "✓ has decided", "now: points if it ended now"]


def board(view: View) -> Grid:
    heads = (Cell(), *map(Cell, COLUMNS), Cell())
    for_sale = view.sale.square if view.sale else ""
    rows = tuple(row_cells(number, row, for_sale) for number, row in enumerate(view.board, 1))
    return Grid(rows, heads, squares=True)


@lru_cache(maxsize=1024)
def row_cells(number: int, row: str, for_sale: str) -> tuple[Cell, ...]:
    squares = [square(letter, f"{column}{number}", for_sale) for column, letter in zip(COLUMNS, row, strict=True)]
    return (Cell(str(number)), *squares, Cell(str(number)))


def square(letter: str, name: str, for_sale: str) -> Cell:
    sign = picture.cell(letter, name, for_sale).strip()
    if letter in OWNERS:
        seat = OWNERS.index(letter)
        return Cell(sign, SEAT_TINTS[seat], f"{name}: land of {SEAT_LETTERS[seat]}")
    if letter in LAKES:
        return Cell(sign, "water", f"{name}: lake worth {letter}")
    if letter in FLAGS:
        return Cell(sign, FLAG_TINTS[letter], f"{name}: {FLAGS[letter]} flag")
    return Cell(sign, "dark", f"{name}: flag, face down") if letter == FACE_DOWN else Cell("·", label=name)


def lakes(view: View) -> Grid:
    """In one row, as there are never more than six."""
    worth = tuple(Cell(f"~{lake.value}~", "water", f"lake worth {lake.value}") for lake in view.lakes)
    held = tuple(holder(lake.holder) for lake in view.lakes)
    return Grid(((Cell("Lakes"), *worth), (Cell("held by"), *held)))


def holder(seat: int | None) -> Cell:
    return Cell("–", label="nobody") if seat is None else seat_cell(seat)


def seat_cell(seat: int) -> Cell:
    return Cell(f"[{SEAT_LETTERS[seat]}]", SEAT_TINTS[seat])


def card_cells(view: View, card: CardView, names: Names) -> tuple[Cell, ...]:
    heading, *reach = picture.card_lines(view, card, names)
    _, _, taken = heading.partition("   ")
    flag = Cell(f"({card.colour})", FLAG_TINTS[card.colour], FLAGS[card.colour])
    return (Cell(f"Card {card.number}"), flag, Cell(card.text), Cell(taken or " ".join(line.strip() for line in reach)))


def players(view: View, names: Names) -> Grid:
    words = ("", "", "cowboys", "cubes", "tokens", "border", "doubles", "domain", "now", "total")
    heads = tuple(Cell(word) for word in words if not (view.over and word == "now"))
    return Grid(tuple(player_cells(view, player, names) for player in view.players), heads)


def player_cells(view: View, player: PlayerView, names: Names) -> tuple[Cell, ...]:
    mark = "▶ " if player.seat in view.awaiting else "✓ " if player.committed else ""
    you = " (you)" if player.seat == view.seat else ""
    score = player.score_now
    now = [] if view.over else [score.total]
    numbers = [
        player.cowboys,
        player.cubes,
        player.tokens,
        score.border_squares,
        score.double_groups,
        score.domain_size,
        *now,
        player.total,
    ]
    return (
        Cell(f"{mark}{names[player.seat]}{you}"),
        seat_cell(player.seat),
        *(Cell(str(number)) for number in numbers),
    )
