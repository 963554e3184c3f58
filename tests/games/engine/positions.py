"""A position in the contract tests. Everything that a seat gets there is computed only once."""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any, TypeVar

import msgspec

from games.engine.board import Board
from games.engine.board_text import board_text
from games.engine.choices import Choices
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.names import Names
from tests.games.engine.offers import all_offered
from tests.games.engine.quick_dice import QuickDice
from tests.games.engine.setups import Setup

T = TypeVar("T")
SHORT = ("Ann", "Ben", "Cleo", "Dan", "Eve")
LONG = tuple(f"{name} Featherstonehaugh-Cholmondeley" for name in SHORT)
OFFERS, PLAYS, ATTEMPTS, WORLDS = 100, 200, 300, 400
"""Numbers that give each purpose its own dice."""


def once(ask: Callable[..., T]) -> Callable[..., T]:
    """Cache the results of a method for each position."""

    @wraps(ask)
    def answer(position: "Position", *about: Any) -> T:
        key = ask, about
        try:
            return position.known[key]  # type: ignore[no-any-return]
        except KeyError:
            answered = position.known[key] = ask(position, *about)
            return answered

    return answer


class Once:
    """A property of a position that is computed on first use."""

    def __init__(self, ask: Callable[["Position"], Any]) -> None:
        self.ask, self.name = ask, ask.__name__

    def __get__(self, position: "Position", owner: type) -> Any:
        answer = position.__dict__[self.name] = self.ask(position)
        return answer


class Position:
    """Return the position `count` moves after the start of match `number`."""

    def __init__(self, setup: Setup, state: Any, number: int, count: int) -> None:
        self.setup, self.state, self.number, self.count = setup, state, number, count
        self.engine = setup.engine
        self.known: dict[Any, Any] = {}

    def with_state(self, state: Any) -> "Position":
        return Position(self.setup, state, self.number, self.count)

    def dice(self, turn: int) -> Dice:
        return QuickDice(self.number, self.count, turn)

    @Once
    def dumped(self) -> bytes:
        return self.engine.states.dump(self.state)

    @Once
    def awaited(self) -> frozenset[int]:
        return self.engine.awaiting(self.state)

    @Once
    def component_counts(self) -> Mapping[str, int]:
        return self.setup.component_counts(self.state)

    @once
    def choices(self, seat: int) -> Choices[Any]:
        return self.engine.choices(self.state, seat)

    @once
    def offers(self, seat: int) -> list[Any]:
        return all_offered(self.engine, self.choices(seat), self.dice(OFFERS + seat), self.setup.tries.fillings)

    def refusals(self, seat: int, moves: list[Any]) -> list[IllegalMove | None]:
        return [self.engine.refusal(self.state, seat, move) for move in moves]

    @once
    def view(self, seat: int | None) -> Any:
        return self.engine.view(self.state, seat)

    @once
    def gets(self, seat: int | None) -> bytes:
        """Return the view, the choices, the seats to move, the result and the move for a time-out."""
        engine, awaited = self.engine, self.awaited
        own = () if seat is None else (self.choices(seat),)
        in_its_place = engine.on_timeout(self.state, seat) if seat in awaited and seat is not None else None
        return msgspec.json.encode([self.view(seat), sorted(awaited), own, engine.outcome(self.state), in_its_place])

    @once
    def world(self, seat: int | None, number: int) -> "Position":
        """Return another position that looks the same to this seat."""
        place = self.setup.seats if seat is None else seat
        dice = self.dice(WORLDS + number * (self.setup.seats + 1) + place)
        return self.with_state(self.engine.imagine(self.state, seat, dice))

    def worlds(self, seat: int | None) -> list["Position"]:
        return [self.world(seat, number) for number in range(self.setup.tries.worlds)]

    @once
    def picture(self, seat: int | None, names: Names) -> str:
        return board_text(self.board(seat, names))

    @once
    def board(self, seat: int | None, names: Names) -> Board:
        return self.engine.board(self.view(seat), names)

    @property
    def onlookers(self) -> list[int | None]:
        """Return the seats whose boards are rendered in this position."""
        return list(dict.fromkeys(seat for seat, _ in self.drawings))

    @Once
    def drawings(self) -> list[tuple[int | None, Names]]:
        """Return the readers to render boards for, with names. A position may cover only some of them."""
        ways, many = ways_to_look(self.setup.seats), self.setup.tries.drawings
        return [ways[(self.count * many + place) % len(ways)] for place in range(min(many, len(ways)))]


@cache
def ways_to_look(seats: int) -> list[tuple[int | None, Names]]:
    return [(seat, Names(names[:seats], seat)) for seat in (*range(seats), None) for names in (SHORT, LONG)]


def everyone(setup: Setup) -> tuple[int | None, ...]:
    return (*range(setup.seats), None)
