"""Sticks, the example game in docs/engine.md, passes the same contract as the real games."""

import inspect
from importlib import import_module
from unittest.mock import patch

import pytest

from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.registry import engine
from tests.games.engine.setups import SETUPS, Setup
from tests.not_none import not_none
from tests.toy_games.sticks import Options, component_counts, registered

MODULES = ("garbage", "matches", "moves", "records", "secrecy", "setups", "words")
NOT_FOR_OPEN_GAMES = {"test_every_setup_hides_something_from_everybody"}


def checks():
    """Return all contract tests that take a single setup."""
    for name in MODULES:
        module = import_module(f"tests.games.engine.contract.test_{name}")
        for word, check in vars(module).items():
            if word.startswith("test_") and word not in NOT_FOR_OPEN_GAMES and is_about_a_setup(check):
                yield pytest.param(check, id=word)


def is_about_a_setup(check):
    return list(inspect.signature(check).parameters) == ["setup"]


@pytest.fixture(params=[2, 3, 4])
def setup(request):
    with registered():
        setup = Setup("sticks", request.param, "", Options(), matches=50, component_counts=component_counts)
        with patch.dict(SETUPS, {"sticks": [setup]}):
            yield setup


@pytest.mark.parametrize("check", list(checks()))
def test_the_sticks_game_passes_the_contract(check, setup):
    check(setup)


def test_the_contract_has_tests():
    assert len(list(checks())) > 30


def test_the_sticks_game_can_be_played_like_any_other_game(setup):
    game = engine("sticks")
    state, events, _ = game.new_match(setup.seats, game.read_options({"sticks": 5}), Dice(bytes(32), 0))
    for count in (3, 2):
        (seat,) = game.awaiting(state)
        state, events, _ = game.play(state, seat, game.parse(f"take {count}"), Dice(bytes(32), 1))
    assert not_none(game.outcome(state)).winners == (seat,)
    assert "took 2, leaving 0." in game.tell(events[0], Names(("Ann", "Ben", "Cleo", "Dora")))
