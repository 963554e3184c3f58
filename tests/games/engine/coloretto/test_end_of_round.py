"""A round ends when everyone has taken a row. All rows come back empty, and the last player to take one starts."""

import pytest

from games.engine.coloretto.state import RoundEnded
from tests.games.engine.coloretto.tables import ANN, BEN, CLEO, after, events_of, may, table


def test_the_round_continues_while_a_player_is_still_in_it():
    state = after(table(rows=["B", "G", "R"]), "take 1", "take 2")
    assert state.rows == (None, None, "R")
    assert state.to_move == CLEO


def test_all_rows_come_back_empty():
    ended = after(table(rows=["B", "G", "R"]), "take 3", "take 1", "take 2")
    assert ended.rows == ("", "", "")
    assert ended.hands == ("R", "B", "G")
    assert may(ended) == ["draw"]


@pytest.mark.parametrize("last", [ANN, BEN, CLEO])
def test_the_player_who_took_the_last_row_starts_the_next_round(last):
    took: list[int | None] = [2, 3, 2]
    took[last] = None
    ending = table(rows=["B", None, None], took=took, to_move=last)
    assert after(ending, "take 1").to_move == last
    assert events_of(ending, "take 1")[-1] == RoundEnded(last)


def test_after_the_first_player_the_turn_passes_to_the_left_again():
    ended = after(table(rows=["B", None, None], took=[2, None, 3], to_move=BEN), "take 1")
    assert after(ended, "draw", "place 1").to_move == CLEO
