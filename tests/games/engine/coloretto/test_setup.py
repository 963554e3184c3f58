import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import LAST_ROUND, DealStarted, Options
from games.engine.dice import Dice
from tests.games.engine.coloretto.tables import ALL_COLOURS, BEN, CLEO, new_match
from tests.games.engine.playing import seed_of
from tests.games.engine.scripted import ScriptedDice

STARTER = 0


@pytest.mark.parametrize(("seats", "colours"), [(2, 5), (3, 6), (4, 7), (5, 7)])
def test_two_colors_are_removed_with_two_players_and_one_with_three(seats, colours):
    state = new_match(seats)
    assert len(state.colours) == colours
    assert set(state.supply + "".join(state.hands)) & set(ALL_COLOURS) == set(state.colours)


def test_the_removed_colors_are_random():
    assert new_match(2, ScriptedDice(STARTER, 6, 0)).colours == "GOPRV"
    assert new_match(3, ScriptedDice(STARTER, 3)).colours == "BGORVY"


@pytest.mark.parametrize(("seats", "cards"), [(2, 2), (3, 1), (4, 1), (5, 1)])
def test_each_player_starts_with_one_card_or_with_two_if_there_are_two_players(seats, cards):
    assert [len(hand) for hand in new_match(seats).hands] == [cards] * seats


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_two_starting_cards_have_the_same_color(seats):
    for number in range(200):
        dealt = "".join(new_match(seats, Dice(seed_of("start", number))).hands)
        assert len(set(dealt)) == len(dealt)
        assert set(dealt) <= set(ALL_COLOURS)


def test_starting_cards_are_random():
    assert new_match(4, ScriptedDice(STARTER, 6, 0, 4, 0)).hands == ("Y", "B", "V", "G")


@pytest.mark.parametrize(
    ("edition", "seats", "cards"),
    [
        ("classic", 3, 6 * 9 - 3 + 10 + 3),
        ("classic", 4, 7 * 9 - 4 + 10 + 3),
        ("classic", 5, 7 * 9 - 5 + 10 + 3),
        ("modern", 2, 5 * 9 - 4 + 10 + 3),
        ("modern", 3, 6 * 9 - 3 + 10 + 3),
        ("modern", 4, 7 * 9 - 4 + 10 + 3),
        ("modern", 5, 7 * 9 - 5 + 10 + 3),
    ],
)
def test_the_supply_holds_all_other_cards_and_the_last_round_card(edition, seats, cards):
    state = new_match(seats, edition=edition)
    assert len(state.supply) == cards + 1
    assert state.supply.count("+") == 10
    in_play = state.supply + "".join(state.hands)
    assert [in_play.count(colour) for colour in state.colours] == [9] * len(state.colours)


@pytest.mark.parametrize(("edition", "plain", "golden"), [("classic", 3, 0), ("modern", 2, 1)])
def test_one_of_the_three_jokers_is_golden_in_the_modern_edition(edition, plain, golden):
    supply = new_match(4, edition=edition).supply
    assert (supply.count("J"), supply.count("*")) == (plain, golden)


@pytest.mark.parametrize(("edition", "below"), [("classic", 15), ("modern", 16)])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_last_round_card_has_the_right_number_of_cards_below_it(edition, below, seats):
    supply = new_match(seats, edition=edition).supply
    assert len(supply) - 1 - supply.index(LAST_ROUND) == below


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_there_is_one_empty_row_for_each_player(seats):
    assert new_match(seats).rows == ("",) * seats


def test_the_first_player_is_random():
    assert new_match(4, ScriptedDice(BEN)).to_move == BEN
    assert new_match(4, ScriptedDice(CLEO)).to_move == CLEO


def test_everybody_sees_what_was_dealt_but_not_the_order_of_the_supply():
    played = ENGINE.new_match(3, Options(), Dice(seed_of("dealt")))
    state = played.state
    assert played.events == (DealStarted(1, state.starter, state.colours, state.hands, len(state.supply) - 1),)
