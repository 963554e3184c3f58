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
    return tuple(sorted(set(hand).difference(leaving)))


def joined(hand: Cowboys, coming: Sequence[int]) -> Cowboys:
    return tuple(sorted((*hand, *coming)))


def draw_cowboys(state: State, due: Sequence[int], dice: Dice, happened: list[Event]) -> State:
    """Each seat draws what it is due, as far as the bag goes."""
    counts = shares(due, len(state.bag))
    drawn, bag = dice.draw(state.bag, sum(counts))
    hands = list(state.hands)
    for seat, count in enumerate(counts):
        if due[seat]:
            coming, drawn = tuple(sorted(drawn[:count])), drawn[count:]
            hands[seat] = joined(hands[seat], coming)
            happened += (CowboysDrawn(seat, count), CowboysSeen(seat, coming))
    return replace(state, hands=tuple(hands), bag=tuple(bag))


def shares(due: Sequence[int], left: int) -> Sequence[int]:
    """How many each seat gets. From a bag that runs short: one each in seat order until it is empty (house)."""
    if sum(due) <= left:
        return due
    turns = [seat for turn in range(max(due)) for seat, count in enumerate(due) if count > turn][:left]
    return [turns.count(seat) for seat in range(len(due))]
