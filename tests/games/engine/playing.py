"""Matches played at random, with dice as the service throws them: turn 0 deals, every play that is not quiet
is a turn of its own."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from games.engine.base import Played
from games.engine.dice import Dice
from tests.games.engine.positions import Position
from tests.games.engine.setups import Setup

Decide = Callable[[Any, int, Dice], Any]
"""What a seat does in a position."""
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
        """The dice of this step, not yet thrown."""
        return Dice(self.seed, self.turn)


def seed_of(*parts: object) -> bytes:
    return sha256(" ".join(map(str, parts)).encode()).digest()


def new_match(setup: Setup, seed: bytes) -> Played[Any]:
    return setup.engine.new_match(setup.seats, setup.options, Dice(seed, 0))


def walk(setup: Setup, number: int, decide: Decide | None = None) -> Iterator[Step]:
    """A match, step by step, with random moves or those of a bot. It ends when no seat is awaited, or breaks off."""
    engine, seed, will = setup.engine, seed_of("match", number), Dice(seed_of("will", number))
    decide = decide or engine.sample
    before, turn = Position(setup, new_match(setup, seed).state, number, 0), 1
    while awaited := before.awaited:
        assert before.count < MORE_STEPS_THAN_ANY_MATCH, f"match {number} of {setup} never ends"
        seat = will.choice(seats_that_act(before, awaited, will))
        move = decide(before.state, seat, will)
        played = engine.play(before.state, seat, move, Dice(seed, turn))
        after = Position(setup, played.state, number, before.count + 1)
        yield Step(before, seat, move, seed, turn, played, after)
        before, turn = after, turn + (not played.quiet)


def seats_that_act(position: Position, awaited: frozenset[int], will: Dice) -> list[int]:
    """The awaited ones; now and then also one that is done but may still change its mind."""
    if will.below(4):
        return sorted(awaited)
    return [seat for seat in range(position.setup.seats) if position.choices(seat)]


@lru_cache(maxsize=8)
def journeys(setup: Setup) -> list[list[Step]]:
    """A few whole matches for checks that look at every step."""
    return [list(walk(setup, number)) for number in setup.numbers]


def steps(setup: Setup) -> list[Step]:
    return [step for journey in journeys(setup) for step in journey]


def sampled_steps(setup: Setup) -> list[Step]:
    """Steps here and there for checks that take long: early ones, late ones and some of all between."""
    return [step for journey in journeys(setup) for step in (*journey[:: setup.every], *journey[-3:])]


def positions(setup: Setup) -> list[Position]:
    """Positions here and there, final ones included."""
    return [step.before for step in sampled_steps(setup)] + [journey[-1].after for journey in journeys(setup)]
