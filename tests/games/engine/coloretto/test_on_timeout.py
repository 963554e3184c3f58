"""The move for a player who runs out of time is minimal and reveals as little as possible."""

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import State
from tests.games.engine.coloretto.tables import ANN, BEN, table


def done_for(state: State, seat: int = ANN) -> str:
    return ENGINE.notation(ENGINE.on_timeout(state, seat))


def test_the_row_worth_most_to_the_absent_player_is_taken():
    state = table(rows=["GP", "RR", "YYY"], hands=["RRR", "GP", ""], to_move=ANN)
    assert done_for(state) == "take 2"


def test_the_value_of_a_row_depends_on_the_players_own_cards():
    rows = ["YY", "RR", ""]
    assert done_for(table(rows=rows, hands=["RRR", "", ""])) == "take 2"
    assert done_for(table(rows=rows, hands=["YYY", "", ""])) == "take 1"


def test_a_card_is_drawn_only_if_no_row_can_be_taken():
    assert done_for(table()) == "draw"


def test_a_drawn_card_goes_to_the_row_with_the_most_room():
    assert done_for(table(rows=["BB", "G", None], took=[None, None, 3], drawn="R")) == "place 2"


def test_if_several_rows_are_equally_good_the_first_is_chosen():
    assert done_for(table(rows=["", "R", "R"], to_move=BEN), BEN) == "take 2"
