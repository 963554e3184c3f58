"""The options of a match have defaults, and invalid options are refused."""

from typing import Any

import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import Options
from games.engine.dice import Dice
from games.engine.errors import BadSetup
from tests.games.engine.playing import seed_of


def bad(options: dict[str, Any]) -> BadSetup:
    with pytest.raises(BadSetup) as caught:
        ENGINE.read_options(options)
    assert caught.value.code == "bad_option"
    return caught.value


def refused_setup(seats: int, **options: Any) -> BadSetup:
    with pytest.raises(BadSetup) as caught:
        ENGINE.new_match(seats, ENGINE.read_options(options), Dice(seed_of("setup")))
    return caught.value


def test_by_default_a_match_is_modern_with_brown_scoring_and_has_one_game():
    options = ENGINE.read_options({})
    assert (options.edition, options.scoring, options.deals) == ("modern", "brown", 1)


@pytest.mark.parametrize("games", range(1, 9))
def test_a_match_has_one_to_eight_games(games):
    assert ENGINE.read_options({"games": games}) == Options(games=games)


@pytest.mark.parametrize("games", [0, 9, -1, "4", 2.5, True])
def test_other_numbers_of_games_are_refused(games):
    assert "games" in bad({"games": games}).message


@pytest.mark.parametrize(
    "options", [{"edition": "vintage"}, {"scoring": "blue"}, {"colour": "red"}, {"Edition": "modern"}]
)
def test_the_refusal_of_an_unknown_option_or_value_lists_the_allowed_ones(options):
    error = bad(options)
    assert "edition (classic or modern), scoring (brown or violet), games (1 to 8)" in error.hint
    assert error.data["allowed"]["edition"]["enum"] == ["classic", "modern"]


@pytest.mark.parametrize("options", [[], "modern", None, 3])
def test_options_that_are_not_an_object_are_refused(options):
    bad(options)


def test_the_classic_edition_is_for_three_to_five_players():
    error = refused_setup(2, edition="classic")
    assert (error.code, error.data["allowed"]) == ("seat_count", [3, 4, 5])
    assert error.hint == "Choose 3 to 5 players."


@pytest.mark.parametrize("seats", [1, 6])
def test_the_modern_edition_is_for_two_to_five_players(seats):
    assert refused_setup(seats).data["allowed"] == [2, 3, 4, 5]


def test_the_classic_edition_has_no_violet_scoring():
    error = refused_setup(3, edition="classic", scoring="violet")
    assert (error.code, error.data["allowed"]) == ("scoring_not_in_edition", ["brown"])
