"""Invalid setups are refused before anything is dealt."""

import pytest

from games.engine.dice import Dice
from games.engine.errors import BadSetup, UnknownGame
from games.engine.registry import engine, engines
from tests.games.engine.contract.test_moves import check_words
from tests.games.engine.playing import seed_of


def test_the_refusal_of_an_unknown_game_lists_all_games():
    with pytest.raises(UnknownGame) as caught:
        engine("chess")
    check_words(caught.value)
    assert caught.value.code == "unknown_game"
    assert caught.value.data["allowed"] == [known.slug for known in engines()]


@pytest.mark.parametrize("seats", [-1, 0, 1, 99])
def test_the_refusal_of_an_impossible_player_count_lists_the_possible_ones(setup, seats):
    for refused in (
        setup.engine.check_setup,
        lambda n, options: setup.engine.new_match(n, options, Dice(seed_of(n))),
    ):
        with pytest.raises(BadSetup) as caught:
            refused(seats, setup.options)
        check_words(caught.value)
        assert caught.value.code == "seat_count"
        assert setup.seats in caught.value.data["allowed"]


def test_the_refusal_of_an_unknown_option_lists_the_allowed_ones(setup):
    with pytest.raises(BadSetup) as caught:
        setup.engine.read_options({"xyzzy": 1})
    check_words(caught.value)
    assert set(caught.value.data["allowed"]) == set(setup.engine.options.__struct_fields__)


def test_every_listed_setup_is_accepted(setup):
    setup.engine.check_setup(setup.seats, setup.options)
