"""In every game, every bot makes only legal moves and never uses information that is hidden from its seat."""

from collections.abc import Iterator
from itertools import count, islice

import pytest

from games.bots import LEVELS, player
from games.engine.dice import Dice
from tests.games.engine.playing import Step, seed_of, walk
from tests.games.engine.setups import ALL, Setup

FEW = 6
MANY = 1000
WORLDS_TRIED = 2


def random_positions(setup: Setup, wanted: int) -> Iterator[Step]:
    """Return a few positions from each of several random matches."""
    apart = 23 if wanted == FEW else 11
    found = (step for number in count() for step in islice(walk(setup, number), number % apart, None, apart))
    return islice(found, wanted)


def decision(setup: Setup, level: str, state: object, seat: int, number: int) -> object:
    dice = Dice(seed_of("bot", number))
    return player(level).decide(setup.engine, state, seat, dice, iterations=WORLDS_TRIED)


def legal_move(setup: Setup, level: str, step: Step, seat: int, number: int) -> object:
    move = decision(setup, level, step.state, seat, number)
    refused = setup.engine.refusal(step.state, seat, move)
    assert refused is None, f"{setup}, {level}, match {step.before.number}: {refused}"
    return move


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_bots_make_legal_moves_that_depend_only_on_what_their_seat_knows(setup, level):
    for number, step in enumerate(random_positions(setup, FEW)):
        for seat in step.before.awaited:
            move = legal_move(setup, level, step, seat, number)
            assert decision(setup, level, step.before.world(seat, 0).state, seat, number) == move


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_bots_make_legal_moves_in_a_thousand_random_positions_of_every_setup(setup, level):
    """One seat chooses a move in each position, and chooses it again with the hidden information changed."""
    for number, step in enumerate(random_positions(setup, MANY)):
        awaited = sorted(step.before.awaited)
        seat = awaited[number % len(awaited)]
        move = legal_move(setup, level, step, seat, number)
        assert decision(setup, level, step.before.world(seat, 0).state, seat, number) == move
