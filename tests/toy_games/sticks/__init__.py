"""Sticks, the smallest game that passes the whole contract. The player who takes the last stick wins.

It is the worked example in docs/engine.md.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.engine import registry
from games.engine.base import Engine, Line, Outcome, Played, places
from games.engine.board import Board, Legend, Note, Row, Table, short_names
from games.engine.choices import Button, Choices
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.records import Codec, Event, Move, Record
from games.engine.text import counted


class Options(Record, frozen=True):
    sticks: Annotated[int, Meta(ge=5, le=50)] = 21


class Take(Move, frozen=True):
    count: Annotated[int, Meta(ge=1, le=3)]
    schema: Literal[1] = 1


class Laid(Event, frozen=True):
    reveals = "the number of sticks"

    sticks: int
    starter: int


class Taken(Event, frozen=True):
    reveals = "who takes how many sticks"

    seat: int
    count: int
    left: int


class State(Record, frozen=True):
    seats: int
    turn: int
    left: int
    taken: int = 0
    schema: Literal[1] = 1


class View(Record, frozen=True):
    seat: int | None
    turn: int
    left: int
    seats: int
    schema: Literal[1] = 1


class Sticks(Engine[State, Take, View]):
    slug = "sticks"
    title = "Sticks"
    seats = range(2, 5)
    options = Options
    period = "match"
    notation_help = (("take 2", "take two sticks"),)
    verbs = ("take",)

    states: Codec[State] = Codec(State)
    moves: Codec[Take] = Codec(Take)
    events: Codec[Event] = Codec(Laid | Taken)
    views: Codec[View] = Codec(View)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, self.seats)

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        starter = dice.below(seats)
        return Played(State(seats, starter, options.sticks), (Laid(options.sticks, starter),))

    def awaiting(self, state: State) -> frozenset[int]:
        return frozenset({state.turn} if state.left else ())

    def refusal(self, state: State, seat: int, move: Take) -> IllegalMove | None:
        if not state.left:
            return IllegalMove("match_over", "The match is over.", "Look at the result.")
        if seat != state.turn:
            return IllegalMove("not_your_turn", "It isn't your turn.", "Wait for your turn.")
        if move.count > state.left:
            return IllegalMove("too_many", f"Sticks left: {state.left}.", f"Try 'take {state.left}'.")
        return None

    def choices(self, state: State, seat: int) -> Choices[Take]:
        return Choices(tuple(take for take in map(Take, (1, 2, 3)) if self.refusal(state, seat, take) is None))

    def play(self, state: State, seat: int, move: Take, dice: Dice) -> Played[State]:
        if refused := self.refusal(state, seat, move):
            raise refused
        left, turn = state.left - move.count, (seat + 1) % state.seats
        played = State(state.seats, turn if left else seat, left, state.taken + move.count)
        return Played(played, (Taken(seat, move.count, left),))

    def view(self, state: State, seat: int | None) -> View:
        return View(seat, state.turn, state.left, state.seats)

    def outcome(self, state: State) -> Outcome | None:
        if state.left:
            return None
        points = tuple(int(seat == state.turn) for seat in range(state.seats))
        return Outcome(points, places(points), tuple((Line(1, "last stick", one),) for one in points), "finished")

    def on_timeout(self, state: State, seat: int) -> Take:
        return Take(1)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        """Return the position itself, because nothing is hidden."""
        return state

    def parse(self, text: str) -> Take:
        match text.lower().split():
            case ["take", "1" | "2" | "3" as count]:
                return Take(int(count))
        raise MalformedMove("unknown_move", "That isn't a Sticks move.", self.notation_hint())

    def notation(self, move: Take) -> str:
        return f"take {move.count}"

    def board(self, view: View, names: Names) -> Board:
        left = counted(view.left, "stick")
        sticks = Note((f"{left}  {'|' * view.left}",), spoken=f"{left} left.")
        players = [
            Row(name, seat=seat, mark="awaited" if view.left and seat == view.turn else "", is_own=seat == view.seat)
            for seat, name in enumerate(short_names(names).names)
        ]
        legend = Legend(marks=(("awaited", "to move"),) if view.left else ())
        return Board("Sticks", "", "", (sticks, Table((), tuple(players))), legend=legend)

    def button(self, move: Take) -> Button:
        return Button(f"Take {counted(move.count, 'stick')}")

    def tell(self, event: Event, names: Names) -> str:
        match event:
            case Laid(sticks=sticks, starter=starter):
                return f"There are {sticks} sticks. {names.subject(starter, 'begins', 'begin')}."
            case Taken(seat=seat, count=count, left=left):
                return f"{names.subject(seat)} {names.verb('took', 'take')} {count}, leaving {left}."
        raise TypeError(event)


ENGINE = Sticks()


def component_counts(state: State) -> Mapping[str, int]:
    return {"sticks": state.left + state.taken}


@contextmanager
def registered() -> Iterator[Any]:
    """Register the game during a test."""
    registry.GAMES["sticks"] = registry.Game(__name__, Sticks.verbs)
    try:
        yield ENGINE
    finally:
        del registry.GAMES["sticks"]
