"""Every component of the game, wherever it lies."""

from collections.abc import Mapping

from games.engine.colorado_county import flags
from games.engine.colorado_county.board import LAKES
from games.engine.colorado_county.state import State


def census(state: State) -> Mapping[str, int]:
    cubes = {
        f"cubes of seat {seat}": state.cubes[seat] + state.board.count(owner) for seat, owner in enumerate(state.owners)
    }
    cards = [*sum(state.stock, ()), *state.deck, *state.turned_up, *state.discards]
    return cubes | {
        "cowboys": len({*state.bag, *sum(state.hands, ())}),
        "cowboy tokens": len(state.bag) + sum(map(len, state.hands)),
        "flags": state.flags_aside + flags.count(state.board),
        "for sale tokens": sum(state.tokens) + state.tokens_in_box,
        "lake squares": sum(state.board.count(value) for value in LAKES),
        "squares": len(state.board),
        **{f"cards {card}": cards.count(card) for card in sorted(set(cards))},
    }
