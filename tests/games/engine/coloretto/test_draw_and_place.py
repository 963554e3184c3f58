"""A player draws the top card, looks at it, and places it on a row that has room."""

from games.engine.coloretto.state import CardDrawn, CardPlaced
from tests.games.engine.coloretto.tables import ANN, BEN, CLEO, after, events_of, may, table


def test_a_player_sees_the_drawn_card_before_placing_it_in_the_same_turn():
    drawn = after(table(supply="RGB"), "draw")
    assert (drawn.drawn, drawn.supply, drawn.to_move) == ("R", "GB", ANN)


def test_a_player_who_drew_a_card_must_place_it():
    assert may(after(table(rows=["B", "", "GG"]), "draw")) == ["place 1", "place 2", "place 3"]


def test_a_card_is_added_to_the_row_it_is_placed_on():
    placed = after(table(rows=["B", "", "G"], supply="RY"), "draw", "place 3")
    assert (placed.rows, placed.drawn) == (("B", "", "GR"), "")


def test_after_placing_it_is_the_next_players_turn():
    state = table()
    for seat in (BEN, CLEO, ANN, BEN):
        state = after(state, "draw", f"place {1 + seat}")
        assert state.to_move == seat


def test_players_who_took_a_row_are_skipped():
    state = table(rows=["B", None, ""], took=[None, 2, None], to_move=ANN)
    assert after(state, "draw", "place 1").to_move == CLEO


def test_a_row_holds_at_most_three_cards():
    assert may(table(rows=["BBB", "GG", "RRR"], drawn="Y")) == ["place 2"]


def test_no_card_can_be_placed_on_a_taken_row():
    assert may(table(rows=[None, "GG", ""], took=[None, 1, None], drawn="Y")) == ["place 2", "place 3"]


def test_nobody_can_draw_if_no_row_has_room():
    assert may(table(rows=["BBB", "GGG", None], took=[None, None, 3])) == ["take 1", "take 2"]


def test_at_the_start_of_a_round_there_is_nothing_to_take():
    assert may(table()) == ["draw"]


def test_everybody_sees_draws_and_placements():
    state = table(supply="RY")
    assert events_of(state, "draw") == (CardDrawn(ANN, "R"),)
    assert events_of(after(state, "draw"), "place 2") == (CardPlaced(ANN, "R", 2),)
