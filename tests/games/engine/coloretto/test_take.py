"""A player can take a row with at least one card, and then sits out the rest of the round."""

from games.engine.coloretto.state import RowTaken
from tests.games.engine.coloretto.tables import ANN, BEN, CLEO, after, events_of, may, table


def test_a_player_who_takes_a_row_keeps_its_cards():
    taken = after(table(rows=["B+", "G", ""], hands=["R", "Y", "P"]), "take 1")
    assert taken.hands == ("RB+", "Y", "P")


def test_a_taken_row_is_gone_for_the_round():
    taken = after(table(rows=["B+", "G", ""]), "take 1")
    assert taken.rows == (None, "G", "")
    assert may(taken) == ["draw", "take 2"]


def test_any_row_except_an_empty_one_can_be_taken():
    assert may(table(rows=["BBB", "G", ""])) == ["draw", "take 1", "take 2"]


def test_a_player_who_took_a_row_is_out_until_the_round_ends():
    state = after(table(rows=["B", "G", "R"]), "take 1")
    assert state.to_move == BEN
    state = after(state, "draw", "place 2")
    assert state.to_move == CLEO
    assert after(state, "draw", "place 2").to_move == BEN


def test_nobody_can_act_out_of_turn():
    state = table(rows=["B", "G", "R"])
    assert may(state, BEN) == may(state, CLEO) == []


def test_everybody_sees_the_taken_cards():
    assert events_of(table(rows=["B+", "G", ""]), "take 1") == (RowTaken(ANN, 1, "B+"),)
