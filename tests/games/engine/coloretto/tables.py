"""Build positions for tests, make moves in them, and look at the events."""

from collections.abc import Sequence
from typing import Any

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import COLOURS, ROW_ROOM, FinishedDeal, Options, State
from games.engine.dice import Dice
from games.engine.records import Event
from tests.games.engine.playing import seed_of

ANN, BEN, CLEO, DAN, EVE = range(5)
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
ALL_COLOURS = "".join(COLOURS)


def table(
    seats: int = 3,
    rows: Sequence[str | None] | None = None,
    *,
    supply: str = "BGOPRVY",
    hands: Sequence[str] | None = None,
    to_move: int = ANN,
    took: Sequence[int | None] | None = None,
    drawn: str = "",
    colours: str = ALL_COLOURS,
    last_round: bool = False,
    deal: int = 1,
    starter: int = ANN,
    finished: Sequence[FinishedDeal] = (),
    **options: Any,
) -> State:
    return State(
        options=Options(**options),
        seats=seats,
        deal=deal,
        starter=starter,
        colours=colours,
        supply=supply,
        rows=tuple(rows or [""] * len(ROW_ROOM[seats])),
        hands=tuple(hands or [""] * seats),
        took=tuple(took or [None] * seats),
        to_move=to_move,
        drawn=drawn,
        last_round=last_round,
        finished=tuple(finished),
    )


def new_match(seats: int, dice: Dice | None = None, **options: Any) -> State:
    return ENGINE.new_match(seats, Options(**options), dice or Dice(seed_of("table"))).state


def after(state: State, *moves: str, dice: Dice | None = None) -> State:
    """Return the position after these moves. Each move is made by the player whose turn it is."""
    for move in moves:
        state = ENGINE.play(state, state.to_move, ENGINE.parse(move), dice or Dice(seed_of("after"))).state
    return state


def events_of(state: State, move: str, dice: Dice | None = None) -> tuple[Event, ...]:
    return ENGINE.play(state, state.to_move, ENGINE.parse(move), dice or Dice(seed_of("after"))).events


def may(state: State, seat: int | None = None) -> list[str]:
    """Return the possible moves of this seat, or of the player whose turn it is, in notation."""
    offered = ENGINE.choices(state, state.to_move if seat is None else seat)
    return [ENGINE.notation(move) for move in offered.moves]
