"""Reviewing a decision reveals nothing that the player could not know."""

import pytest

from games.bots.review import compare
from games.engine.dice import Dice
from games.engine.registry import engine

SEED = b"\3" * 32


def ticking(steps):
    """Return a clock that stops the search after this many readings."""
    readings = iter(range(10**6))
    return lambda: next(readings) / steps


def position(game, moves):
    rules, dice = engine(game), Dice(SEED)
    state = rules.new_match(3, rules.read_options({}), dice).state
    for _ in range(moves):
        seat = min(rules.awaiting(state))
        state = rules.play(state, seat, rules.sample(state, seat, dice), dice).state
    return rules, state, min(rules.awaiting(state))


@pytest.mark.parametrize(("game", "moves"), [("coloretto", 8), ("coloretto", 21), ("colorado-county", 4)])
def test_hidden_cards_do_not_change_a_review(game, moves):
    rules, state, seat = position(game, moves)
    made = rules.sample(state, seat, Dice(SEED, 1))
    other = rules.imagine(state, seat, Dice(SEED, 2))
    one, another = (
        compare(rules, world, seat, made, Dice(SEED, 3), seconds=1, clock=ticking(300)) for world in (state, other)
    )
    assert one == another
    assert one is None or one.best_chance >= one.chance


def test_a_forced_move_is_not_reviewed():
    rules, state, seat = position("coloretto", 0)
    options = rules.choices(state, seat).moves
    assert len(options) == 1
    assert compare(rules, state, seat, options[0], Dice(SEED), seconds=1) is None


def test_a_review_without_time_still_plays_out_every_move_once():
    rules, state, seat = position("colorado-county", 4)
    made = rules.sample(state, seat, Dice(SEED, 1))
    found = compare(rules, state, seat, made, Dice(SEED), seconds=0)
    assert found
    assert found.best_chance > 0
