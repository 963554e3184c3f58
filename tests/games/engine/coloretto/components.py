"""Count all cards of a Coloretto match by kind. The counts never change during a deal."""

from collections import Counter
from collections.abc import Mapping

from games.engine.coloretto.state import LAST_ROUND, NAMES, State


def component_counts(state: State) -> Mapping[str, int]:
    table = state.drawn + state.removed + "".join(cards or "" for cards in state.rows)
    seen = LAST_ROUND if state.last_round else ""
    everything = Counter(state.supply + table + seen + "".join(state.hands))
    in_colours = sorted(everything[colour] for colour in state.colours)
    others = {NAMES[card]: n for card, n in everything.items() if card not in state.colours}
    return others | {f"colour {number}": n for number, n in enumerate(in_colours, start=1)}
