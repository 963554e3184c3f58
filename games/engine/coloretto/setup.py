"""Dealing a game of the match, from the box to the first turn."""

from games.engine.coloretto.cards import CARDS_PER_COLOUR, COLOURS, LAST_ROUND, PLUS_TWO, PLUS_TWOS
from games.engine.coloretto.events import DealStarted
from games.engine.coloretto.options import (
    COLOURS_LEAVING,
    JOKERS,
    ROW_ROOM,
    STARTING_CARDS,
    UNDER_LAST_ROUND,
    Options,
)
from games.engine.coloretto.state import FinishedDeal, State
from games.engine.dice import Dice


def deal(seats: int, options: Options, starter: int, finished: tuple[FinishedDeal, ...], dice: Dice) -> State:
    _leaving, staying = dice.draw("".join(COLOURS), COLOURS_LEAVING[seats])
    colours = "".join(staying)
    hands = starting_hands(seats, colours, dice)
    supply = "".join(dice.shuffle(box(colours, options, without="".join(hands))))
    above = len(supply) - UNDER_LAST_ROUND[options.edition]
    return State(
        options=options,
        seats=seats,
        deal=len(finished) + 1,
        starter=starter,
        colours=colours,
        supply=supply[:above] + LAST_ROUND + supply[above:],
        rows=("",) * len(ROW_ROOM[seats]),
        hands=hands,
        took=(None,) * seats,
        to_move=starter,
        finished=finished,
    )


def starting_hands(seats: int, colours: str, dice: Dice) -> tuple[str, ...]:
    """All starting cards differ in colour, with two players across both hands too (house)."""
    each = STARTING_CARDS[seats]
    dealt = "".join(dice.draw(colours, seats * each)[0])
    return tuple(dealt[seat * each : (seat + 1) * each] for seat in range(seats))


def box(colours: str, options: Options, without: str = "") -> str:
    """All cards of a game with these colours but the last-round card, less one of each in `without`."""
    coloured = "".join(colour * (CARDS_PER_COLOUR - without.count(colour)) for colour in colours)
    return coloured + PLUS_TWO * PLUS_TWOS + JOKERS[options.edition]


def deal_started(state: State) -> DealStarted:
    supply = len(state.supply) - len(LAST_ROUND)
    return DealStarted(state.deal, state.starter, state.colours, state.hands, supply)
