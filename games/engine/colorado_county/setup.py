"""From the box to the first bids."""

from games.engine.base import Played
from games.engine.colorado_county.cards import CARDS_OF
from games.engine.colorado_county.events import LakesLaid
from games.engine.colorado_county.flags import ALL_FLAGS
from games.engine.colorado_county.geometry import FREE, LAKES, SIZE, mark, names
from games.engine.colorado_county.holdings import draw_cowboys
from games.engine.colorado_county.lakes import Lakes, lay_lakes
from games.engine.colorado_county.options import (
    COWBOYS,
    CUBES,
    STARTING_COWBOYS,
    TOKENS,
    TOKENS_IN_THE_BOX,
    Options,
)
from games.engine.colorado_county.rules import start_round
from games.engine.colorado_county.state import State
from games.engine.dice import Dice
from games.engine.records import Event


def new_match(seats: int, options: Options, dice: Dice) -> Played[State]:
    lakes = lay_lakes(dice)
    happened: list[Event] = [LakesLaid(tuple(map(names, lakes)))]
    state = draw_cowboys(from_the_box(seats, options, lakes), [STARTING_COWBOYS] * seats, dice, happened)
    return Played(start_round(state, 1, dice, happened), tuple(happened))


def from_the_box(seats: int, options: Options, lakes: Lakes) -> State:
    """Everything laid out, and nothing dealt yet."""
    return State(
        options=options,
        seats=seats,
        round=0,
        phase="bids",
        asked=(),
        sealed=(None,) * seats,
        board=board_with(lakes),
        lakes=lakes,
        holders=(None,) * len(lakes),
        hands=((),) * seats,
        bag=tuple(range(1, COWBOYS + 1)),
        cubes=(CUBES,) * seats,
        tokens=(TOKENS[seats],) * seats,
        tokens_in_box=TOKENS_IN_THE_BOX - seats * TOKENS[seats],
        sales=(0,) * seats,
        flags_aside=len(ALL_FLAGS),
        stock=tuple(CARDS_OF.values()),
        deck=(),
        turned_up=(),
        takers=(),
        discards=(),
    )


def board_with(lakes: Lakes) -> str:
    board = FREE * SIZE
    for value, squares in zip(LAKES, lakes, strict=True):
        for square in squares:
            board = mark(board, square, value)
    return board
