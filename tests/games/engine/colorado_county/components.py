"""Count all components of Colorado County by kind. The counts never change."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from games.engine.colorado_county import flags
from games.engine.colorado_county.geometry import LAKES, OWNERS
from games.engine.colorado_county.state import State


def component_counts(state: State) -> Mapping[str, int]:
    cowboys = [*state.bag, *chain(*state.hands)]
    return {
        **Counter(chain(*state.stock, state.deck, state.turned_up, state.discards)),
        **{owner: left + state.board.count(owner) for owner, left in zip(OWNERS, state.cubes, strict=False)},
        "cowboys": len(cowboys),
        "different cowboys": len(set(cowboys)),
        "flags": state.flags_aside + flags.count(state.board),
        "for sale tokens": sum(state.tokens) + state.tokens_in_box,
        "lake squares": sum(map(state.board.count, LAKES)),
    }
