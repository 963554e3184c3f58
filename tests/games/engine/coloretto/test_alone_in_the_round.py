"""The last player in a round may keep drawing while there is room, and must take a row in the end."""

from typing import Any

from tests.games.engine.coloretto.tables import ANN, BEN, after, may, table

BEN_IS_ALONE: dict[str, Any] = {"took": [1, None, 2], "to_move": BEN}


def test_a_player_alone_in_the_round_keeps_drawing_and_placing():
    state = table(rows=[None, None, ""], supply="RGB", **BEN_IS_ALONE)
    for cards in ("R", "RG"):
        state = after(state, "draw", "place 3")
        assert (state.to_move, state.rows[2]) == (BEN, cards)
        assert may(state) == ["draw", "take 3"]


def test_a_player_alone_with_an_empty_row_must_draw_first():
    assert may(table(rows=[None, None, ""], **BEN_IS_ALONE)) == ["draw"]


def test_a_player_alone_with_a_full_row_must_take_it():
    assert may(table(rows=[None, None, "RGB"], **BEN_IS_ALONE)) == ["take 3"]


def test_taking_the_last_row_ends_the_round():
    ended = after(table(rows=[None, None, "R"], **BEN_IS_ALONE), "take 3")
    assert ended.rows == ("", "", "")
    assert ended.took == (None, None, None)
    assert ended.to_move == BEN != ANN
