"""The golden joker: whoever takes it also gets the top card of the supply, and it is a joker as well."""

from games.engine.coloretto.scoring import score
from games.engine.coloretto.state import GoldenCardGained, LastRoundSeen, RowTaken
from tests.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, after, events_of, table


def test_whoever_takes_it_gets_the_top_card_of_the_supply_at_once():
    taken = after(table(rows=["B*", "", ""], supply="RG", hands=["Y", "", ""]), "take 1")
    assert (taken.hands[ANN], taken.supply) == ("YB*R", "G")


def test_placing_it_reveals_nothing():
    placed = after(table(supply="*RG"), "draw", "place 1")
    assert (placed.rows[0], placed.supply) == ("*", "RG")


def test_the_gained_card_is_told_to_everybody():
    happened = events_of(table(rows=["B*", "", ""], supply="RG"), "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), GoldenCardGained(ANN, "R"))


def test_when_it_reveals_the_last_round_card_another_card_is_gained_and_the_last_round_is_on():
    state = table(rows=["B*", "", ""], supply="!RG")
    happened = events_of(state, "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), LastRoundSeen(ANN), GoldenCardGained(ANN, "R"))
    assert after(state, "take 1").last_round


def test_the_game_ends_when_the_rounds_last_taker_reveals_the_last_round_card_with_it():
    state = table(rows=[None, "B*", None], took=[1, None, 3], to_move=BEN, supply="!RG")
    ended = after(state, "take 2")
    assert ended.over
    assert ended.finished[0].hands[BEN] == "B*R"


def test_it_counts_as_a_joker_as_well():
    assert score("RR*", ALL_COLOURS, "brown") == score("RRJ", ALL_COLOURS, "brown")
    assert score("RR*", ALL_COLOURS, "brown").total == 6
