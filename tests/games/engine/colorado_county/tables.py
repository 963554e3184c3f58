"""Build positions from only the details that matter for a rule.

The lakes are always in the same place, shown by their value:

   A B C D E F G H I J K L M N O
2  . 3 . . 4 4 . . 5 5 . . . . .
3  . . . . . . . . 5 . . . . . .
5  . . . . . . . . . . . 8 8 . .
6  . 6 6 6 . . . 7 7 . 8 8 8 8 .
7  . . 6 . . . 7 7 7 . 8 . . . .
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.colorado_county.flags import count
from games.engine.colorado_county.geometry import OWNERS, SQUARES, mark
from games.engine.colorado_county.holdings import settle_lakes
from games.engine.colorado_county.setup import from_the_box
from games.engine.colorado_county.state import COWBOYS, Options, State
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.records import IGNORED_EVENTS, Event
from games.engine.registry import engine

ENGINE = engine("colorado-county")
ANN, BEN, CLEO, DAN = range(4)
NAMES = ("Ann", "Ben", "Cleo", "Dan")
SEED = bytes(32)


def squares(written: str) -> tuple[int, ...]:
    return tuple(SQUARES[name] for name in written.split())


LAKES = (
    squares("B2"),
    squares("E2 F2"),
    squares("I2 J2 I3"),
    squares("B6 C6 D6 C7"),
    squares("H6 I6 G7 H7 I7"),
    squares("L5 M5 K6 L6 M6 N6 K7"),
)


def table(
    seats: int = 3,
    *,
    land: Mapping[int, str] | None = None,
    flags: Mapping[str, str] | None = None,
    hands: Mapping[int, Sequence[int]] | None = None,
    cards: str = "R00 G00",
    deck: str = "B00 O00",
    options: Options | None = None,
    **changes: Any,
) -> State:
    """Create an open auction in round 1.

    If no hand is given for a player, they have fifteen cowboys: Ann has 1 to 15, Ben has 16 to 30, and so on.
    """
    state = from_the_box(seats, options or Options(), LAKES)
    state = with_hands(state, hands or {})
    state = replace(
        state,
        round=1,
        asked=tuple(range(seats)),
        turned_up=tuple(cards.split()),
        takers=(None,) * len(cards.split()),
        deck=tuple(deck.split()),
    )
    state = with_flags(with_land(state, land or {}), flags or {})
    return replace(state, **changes)


def with_hands(state: State, hands: Mapping[int, Sequence[int]]) -> State:
    dealt = tuple(tuple(hands.get(seat, range(15 * seat + 1, 15 * seat + 16))) for seat in range(state.seats))
    bag = set(range(1, COWBOYS + 1)).difference(*dealt)
    return replace(state, hands=dealt, bag=tuple(sorted(bag)))


def with_land(state: State, land: Mapping[int, str]) -> State:
    """Give squares to seats one at a time, because the order can decide who holds a lake."""
    for seat, written in land.items():
        for square in squares(written):
            board = mark(state.board, square, OWNERS[seat])
            cubes = tuple(left - (owner == seat) for owner, left in enumerate(state.cubes))
            state = settle_lakes(replace(state, board=board, cubes=cubes), (square,), IGNORED_EVENTS)
    return state


def with_flags(state: State, flags: Mapping[str, str]) -> State:
    board = state.board
    for letter, written in flags.items():
        for square in squares(written):
            board = mark(board, square, letter)
    return replace(state, board=board, flags_aside=12 - count(board))


def play(state: State, seat: int, written: str, dice: Dice | None = None) -> Played[State]:
    return ENGINE.play(state, seat, ENGINE.parse(written), dice or Dice(SEED))


def after(state: State, *moves: tuple[int, str]) -> State:
    for seat, written in moves:
        state = play(state, seat, written).state
    return state


def events(state: State, *moves: tuple[int, str]) -> list[Event]:
    """Return the events of the last move."""
    return list(play(after(state, *moves[:-1]), *moves[-1]).events)


E = TypeVar("E")


def happened(state: State, *moves: tuple[int, str], kind: type[E]) -> list[E]:
    """Return the events of one kind from all these moves."""
    found: list[E] = []
    for seat, written in moves:
        played = play(state, seat, written)
        found += [event for event in played.events if isinstance(event, kind)]
        state = played.state
    return found


def refused(state: State, seat: int, written: str) -> IllegalMove:
    refusal = ENGINE.refusal(state, seat, ENGINE.parse(written))
    assert refusal is not None
    return refusal


def owner_of(state: State, square: str) -> int | None:
    letter = state.board[SQUARES[square]]
    return OWNERS.index(letter) if letter in OWNERS else None


def bids(*written: str) -> list[tuple[int, str]]:
    """Make one bid per seat, in seat order, as in bids("12 14", "none", "33")."""
    return [(seat, f"bid {bid}") for seat, bid in enumerate(written)]
