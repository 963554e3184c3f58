"""Play random matches with the same dice as the service.

The cards are dealt on turn 0, and each move that is not quiet starts a new turn.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from games.engine.base import Played
from games.engine.dice import Dice
from tests.games.engine.positions import Position
from tests.games.engine.setups import Setup

Decide = Callable[[Any, int, Dice], Any]
"""Chooses a move for a seat in a position."""
MORE_STEPS_THAN_ANY_MATCH = 20_000


class Step(NamedTuple):
    before: Position
    seat: int
    move: Any
    seed: bytes
    turn: int
    played: Played[Any]
    after: Position

    @property
    def state(self) -> Any:
        return self.before.state

    @property
    def dice(self) -> Dice:
        return Dice(self.seed, self.turn)


def seed_of(*parts: object) -> bytes:
    return sha256(" ".join(map(str, parts)).encode()).digest()


def new_match(setup: Setup, seed: bytes) -> Played[Any]:
    return setup.engine.new_match(setup.seats, setup.options, Dice(seed, 0))


def walk(setup: Setup, number: int, decide: Decide | None = None) -> Iterator[Step]:
    """Play a match step by step, with random moves or a bot. Fail if the match never ends."""
    engine, seed, choosing = setup.engine, seed_of("match", number), Dice(seed_of("will", number))
    decide = decide or engine.sample
    before, turn = Position(setup, new_match(setup, seed).state, number, 0), 1
    while awaited := before.awaited:
        assert before.count < MORE_STEPS_THAN_ANY_MATCH, f"match {number} of {setup} never ends"
        seat = choosing.choice(seats_that_act(before, awaited, choosing))
        move = decide(before.state, seat, choosing)
        played = engine.play(before.state, seat, move, Dice(seed, turn))
        after = Position(setup, played.state, number, before.count + 1)
        yield Step(before, seat, move, seed, turn, played, after)
        before, turn = after, turn + (not played.quiet)


def seats_that_act(position: Position, awaited: frozenset[int], choosing: Dice) -> list[int]:
    """Return the seats that have to move and, now and then, one that can still replace its sealed move."""
    if choosing.below(4):
        return sorted(awaited)
    return [seat for seat in range(position.setup.seats) if position.choices(seat)]


@lru_cache(maxsize=8)
def whole_matches(setup: Setup) -> list[list[Step]]:
    """Return whole matches in which every step is checked."""
    return [list(walk(setup, number)) for number in setup.numbers]


def steps(setup: Setup) -> list[Step]:
    return [step for match in whole_matches(setup) for step in match]


def sampled_steps(setup: Setup) -> list[Step]:
    """Return a sample of early, late and intermediate steps for slow checks."""
    return [step for match in whole_matches(setup) for step in (*match[:: setup.every], *match[-3:])]


def positions(setup: Setup) -> list[Position]:
    """Return a sample of positions, including final ones."""
    return [step.before for step in sampled_steps(setup)] + [match[-1].after for match in whole_matches(setup)]
