"""The supply never runs out, because there are enough cards under the last-round card for the longest round."""

import pytest

from games.engine.coloretto.state import JOKERS, ROW_ROOM, SEATS, UNDER_LAST_ROUND, State
from tests.games.engine.coloretto.tables import after, table


@pytest.mark.parametrize("edition", ["classic", "modern"])
def test_the_longest_round_with_a_golden_joker_never_runs_out_of_cards(edition):
    longest = max(sum(ROW_ROOM[seats]) for seats in SEATS[edition])
    assert longest + JOKERS[edition].count("*") <= UNDER_LAST_ROUND[edition]


def fill_all_rows(state: State) -> State:
    for row in (1, 2, 3, 4, 5):
        for _ in range(3):
            state = after(state, "draw", f"place {row}")
    return state


def test_a_classic_last_round_of_fifteen_cards_uses_up_the_whole_supply():
    state = fill_all_rows(table(5, supply="!" + 15 * "B", edition="classic", games=1))
    assert state.supply == ""
    assert after(state, "take 1", "take 2", "take 3", "take 4", "take 5").over


def test_a_modern_last_round_leaves_one_card_for_the_golden_joker():
    state = fill_all_rows(table(5, supply="!" + 14 * "B" + "*" + "R"))
    assert state.supply == "R"
    over = after(state, "take 1", "take 2", "take 3", "take 4", "take 5")
    assert over.supply == ""
    assert over.hands[over.took.index(5)] == "BB*R"


def test_drawing_from_an_empty_supply_is_a_bug():
    with pytest.raises(AssertionError, match="never runs dry"):
        after(table(supply=""), "draw")
