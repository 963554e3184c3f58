"""The players' holdings: cowboys, cubes on land, and the lakes that come with the land."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.engine.colorado_county.events import CowboysDrawn, CowboysSeen, LakeChangedHands
from games.engine.colorado_county.geometry import FLAGS, FREE, LAKES, OWNERS, mark
from games.engine.colorado_county.lakes import holders_after
from games.engine.colorado_county.state import State
from games.engine.dice import Dice
from games.engine.records import Happened, put

Cowboys = tuple[int, ...]


def strength(cowboys: Cowboys) -> tuple[int, int]:
    """Rank a bid. More cowboys beat fewer. If the numbers are equal, the highest single cowboy wins."""
    return len(cowboys), max(cowboys, default=0)


def without(hand: Cowboys, leaving: Cowboys) -> Cowboys:
    if not leaving:
        return hand
    gone = set(leaving)
    return tuple([cowboy for cowboy in hand if cowboy not in gone])


def joined(hand: Cowboys, coming: Sequence[int]) -> Cowboys:
    return tuple(sorted((*hand, *coming)))


def draw_cowboys(state: State, due: Sequence[int], dice: Dice, happened: Happened) -> State:
    """Let each seat draw its cowboys, as long as there are any in the bag."""
    counts = shares(due, len(state.bag))
    drawn, bag = dice.draw(state.bag, sum(counts))
    hands = list(state.hands)
    for seat, count in enumerate(counts):
        if due[seat]:
            coming, drawn = drawn[:count], drawn[count:]
            hands[seat] = joined(hands[seat], coming)
            happened.add(CowboysDrawn, seat, count)
            happened.add(cowboys_seen, seat, coming)
    return replace(state, hands=tuple(hands), bag=tuple(bag))


def cowboys_seen(seat: int, coming: Sequence[int]) -> CowboysSeen:
    return CowboysSeen(seat, tuple(sorted(coming)))


def shares(due: Sequence[int], left: int) -> Sequence[int]:
    """Return how many cowboys each seat gets.

    If there aren't enough in the bag, they are dealt one at a time in seat order (house rule).
    """
    if sum(due) <= left:
        return due
    turns = [seat for turn in range(max(due)) for seat, count in enumerate(due) if count > turn][:left]
    return [turns.count(seat) for seat in range(len(due))]


def occupy(state: State, seat: int, squares: tuple[int, ...], happened: Happened) -> State:
    """Place cubes from the reserve. A cube on a flag's square replaces the flag."""
    board, flags_aside = state.board, state.flags_aside
    for square in squares:
        flags_aside += board[square] in FLAGS
        board = mark(board, square, OWNERS[seat])
    cubes = put(state.cubes, seat, state.cubes[seat] - len(squares))
    occupied = replace(state, board=board, cubes=cubes, flags_aside=flags_aside)
    return settle_lakes(occupied, squares, happened)


def hand_over(state: State, seller: int, buyer: int | None, square: int, happened: Happened) -> State:
    """Return the seller's cube to the reserve and, if there is a buyer, place the buyer's cube."""
    board = mark(state.board, square, FREE if buyer is None else OWNERS[buyer])
    cubes = put(state.cubes, seller, state.cubes[seller] + 1)
    if buyer is not None:
        cubes = put(cubes, buyer, cubes[buyer] - 1)
    return settle_lakes(replace(state, board=board, cubes=cubes), (square,), happened)


def settle_lakes(state: State, changed: tuple[int, ...], happened: Happened) -> State:
    holders = holders_after(state.board, state.lakes, state.holders, state.seats, changed)
    if holders == state.holders:
        return state
    for value, before, after in zip(LAKES, state.holders, holders, strict=True):
        if before != after:
            happened.add(LakeChangedHands, int(value), after, before)
    return replace(state, holders=holders)
