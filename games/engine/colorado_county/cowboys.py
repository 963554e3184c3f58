"""Cowboys: which of two groups is stronger, and how they come out of the bag."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.engine.colorado_county.events import CowboysDrawn, CowboysSeen
from games.engine.colorado_county.state import State
from games.engine.dice import Dice
from games.engine.records import Event

Cowboys = tuple[int, ...]


def strength(cowboys: Cowboys) -> tuple[int, int]:
    """More beat fewer; of equally many, the highest single number wins."""
    return len(cowboys), max(cowboys, default=0)


def without(hand: Cowboys, leaving: Cowboys) -> Cowboys:
    return tuple([cowboy for cowboy in hand if cowboy not in leaving])


def joined(hand: Cowboys, coming: Sequence[int]) -> Cowboys:
    return tuple(sorted((*hand, *coming)))


def draw_cowboys(state: State, due: Sequence[int], dice: Dice, happened: list[Event]) -> State:
    """Each seat draws what it is due. From a bag that runs short: one each in seat order until it is empty (house)."""
    turns = [seat for turn in range(max(due)) for seat in range(state.seats) if due[seat] > turn]
    drawn, bag = dice.draw(state.bag, min(len(turns), len(state.bag)))
    hands = list(state.hands)
    for seat, count in enumerate(due):
        if count:
            coming = sorted([cowboy for cowboy, drawer in zip(drawn, turns, strict=False) if drawer == seat])
            hands[seat] = tuple(sorted(hands[seat] + tuple(coming)))
            happened += (CowboysDrawn(seat, len(coming)), CowboysSeen(seat, tuple(coming)))
    return replace(state, hands=tuple(hands), bag=tuple(bag))
