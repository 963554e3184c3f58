"""Every refusal has a code, says what is wrong and what to do instead, and changes nothing."""

from typing import Any

import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import State
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from tests.games.engine.coloretto.tables import ANN, BEN, after, table


def refused(state: State, move: str, seat: int = ANN) -> tuple[str, str, str, dict[str, Any]]:
    before = ENGINE.states.dump(state)
    with pytest.raises(IllegalMove) as caught:
        ENGINE.play(state, seat, ENGINE.parse(move), dice=Dice(bytes(32)))
    assert ENGINE.states.dump(state) == before
    error = caught.value
    return error.code, error.message, error.hint, error.data


def test_placing_on_a_full_row_is_refused():
    state = table(rows=["", "BGR", ""], drawn="Y")
    assert refused(state, "place 2") == (
        "row_full",
        "Row 2 already holds 3 cards.",
        "Try 'place 1' or 'place 3'.",
        {"row": 2, "room": [1, 3]},
    )


def test_with_two_players_the_first_row_is_full_after_one_card():
    assert refused(table(2, rows=["B", "", ""], drawn="Y"), "place 1")[1] == "Row 1 already holds 1 card."


def test_placing_on_a_taken_row_is_refused():
    state = table(rows=["", None, ""], took=[None, 2, None], drawn="Y")
    assert refused(state, "place 2") == (
        "row_gone",
        "Row 2 has been taken this round.",
        "Try 'place 1' or 'place 3'.",
        {"row": 2, "room": [1, 3]},
    )


def test_taking_a_taken_row_is_refused():
    state = table(rows=["B", None, ""], took=[None, 2, None])
    assert refused(state, "take 2") == (
        "row_gone",
        "Row 2 has been taken this round.",
        "Try 'draw' or 'take 1'.",
        {"row": 2, "rows": [1]},
    )


def test_taking_an_empty_row_is_refused():
    assert refused(table(rows=["B", "G", ""]), "take 3") == (
        "row_empty",
        "Row 3 is empty.",
        "Try 'draw', 'take 1' or 'take 2'.",
        {"row": 3, "rows": [1, 2]},
    )


def test_taking_a_row_is_refused_if_all_rows_are_empty():
    assert refused(table(), "take 1")[0::2] == ("row_empty", "Try 'draw'.")


@pytest.mark.parametrize("row", [0, 4, 999])
def test_a_row_that_does_not_exist_is_refused(row):
    code, message, hint, data = refused(table(rows=["B", "", ""]), f"take {row}")
    assert (code, message) == ("no_such_row", f"There is no row {row}. Rows go from 1 to 3.")
    assert (hint, data) == ("Try 'draw' or 'take 1'.", {"row": row, "rows": [1]})
    assert refused(table(drawn="B"), f"place {row}")[0] == "no_such_row"


def test_placing_before_drawing_is_refused():
    assert refused(table(), "place 1") == ("draw_first", "You haven't drawn a card yet.", "Try 'draw'.", {})


@pytest.mark.parametrize("move", ["draw", "take 1"])
def test_after_drawing_a_card_the_player_can_only_place_it(move):
    state = table(rows=["B", "GGG", ""], drawn="Y")
    assert refused(state, move) == (
        "place_first",
        "You have drawn a card. Place it first.",
        "Try 'place 1' or 'place 3'.",
        {"room": [1, 3]},
    )


def test_drawing_is_refused_if_no_row_has_room():
    assert refused(table(rows=["BBB", "GGG", "RRR"]), "draw") == (
        "rows_full",
        "No row has room for another card.",
        "Try 'take 1', 'take 2' or 'take 3'.",
        {"rows": [1, 2, 3]},
    )


def test_moving_out_of_turn_is_refused():
    assert refused(table(), "draw", seat=BEN) == (
        "not_your_turn",
        "It isn't your turn.",
        "Wait for your turn.",
        {"awaited": [ANN]},
    )


def test_moving_after_the_end_is_refused():
    over = after(table(rows=["R", None, None], took=[None, 2, 3], last_round=True), "take 1")
    assert refused(over, "draw")[:2] == ("match_over", "The match is over.")


@pytest.mark.parametrize("row", [-1, 1000, 10**30, "2", 2.5, True, None])
def test_a_value_that_cannot_be_a_row_number_is_malformed(row):
    with pytest.raises(MalformedMove) as caught:
        ENGINE.read_move({"move": "take", "row": row})
    assert caught.value.code == "malformed_move"
    assert caught.value.hint == "Try 'draw', 'place 2' or 'take 3'."
