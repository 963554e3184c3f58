"""Two players use three rows with room for one, two and three cards, and one row is left over."""

from games.engine.coloretto.state import RoundEnded, RowRemoved, RowTaken
from tests.games.engine.coloretto.tables import ANN, BEN, after, events_of, may, new_match, table


def test_two_players_have_three_rows():
    assert new_match(2).rows == ("", "", "")


def test_the_rows_have_room_for_one_and_two_and_three_cards():
    assert may(table(2, rows=["", "", ""], drawn="B")) == ["place 1", "place 2", "place 3"]
    assert may(table(2, rows=["R", "G", "YY"], drawn="B")) == ["place 2", "place 3"]
    assert may(table(2, rows=["R", "GG", "YY"], drawn="B")) == ["place 3"]
    assert may(table(2, rows=["R", "GG", "YYY"])) == ["take 1", "take 2", "take 3"]


def test_the_round_ends_when_both_have_taken_a_row_and_the_cards_in_the_third_leave_the_game():
    ended = after(table(2, rows=["R", None, "YY"], took=[None, 2], supply="B!B"), "take 1")
    assert (ended.rows, ended.removed, ended.hands) == (("", "", ""), "YY", ("R", ""))


def test_everybody_sees_the_removed_cards():
    ending = table(2, rows=["R", None, "YY"], took=[None, 2])
    assert events_of(ending, "take 1") == (RowTaken(ANN, 1, "R"), RowRemoved(3, "YY"), RoundEnded(ANN))


def test_an_empty_third_row_is_removed_without_an_event():
    ending = table(2, rows=["R", None, ""], took=[None, 2])
    assert events_of(ending, "take 1") == (RowTaken(ANN, 1, "R"), RoundEnded(ANN))


def test_a_player_alone_in_the_round_may_fill_both_remaining_rows():
    alone = table(2, rows=["", None, "Y"], took=[None, 2], supply="BGR")
    state = after(alone, "draw", "place 1", "draw", "place 3")
    assert (state.to_move, state.rows) == (ANN, ("B", None, "YG"))
    assert may(state) == ["draw", "take 1", "take 3"]


def test_with_more_players_every_row_is_taken_and_no_cards_are_removed():
    ended = after(table(3, rows=[None, "R", None], took=[1, None, 3], to_move=BEN), "take 2")
    assert ended.removed == ""
