"""The golden joker also gives its taker the top card of the supply, and counts as a joker."""

from games.engine.coloretto.scoring import score
from games.engine.coloretto.state import GoldenCardGained, LastRoundSeen, RowTaken
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, after, events_of, table


def test_taking_it_gives_the_top_card_of_the_supply():
    taken = after(table(rows=["B*", "", ""], supply="RG", hands=["Y", "", ""]), "take 1")
    assert (taken.hands[ANN], taken.supply) == ("YB*R", "G")


def test_placing_it_reveals_nothing():
    placed = after(table(supply="*RG"), "draw", "place 1")
    assert (placed.rows[0], placed.supply) == ("*", "RG")


def test_everybody_sees_the_gained_card():
    happened = events_of(table(rows=["B*", "", ""], supply="RG"), "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), GoldenCardGained(ANN, "R"))


def test_if_it_reveals_the_last_round_card_another_card_is_gained_and_the_last_round_starts():
    state = table(rows=["B*", "", ""], supply="!RG")
    happened = events_of(state, "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), LastRoundSeen(ANN), GoldenCardGained(ANN, "R"))
    assert after(state, "take 1").last_round


def test_the_game_ends_if_the_last_taker_of_a_round_reveals_the_last_round_card_with_it():
    state = table(rows=[None, "B*", None], took=[1, None, 3], to_move=BEN, supply="!RG")
    ended = after(state, "take 2")
    assert ended.over
    assert ended.finished[0].hands[BEN] == "B*R"


def test_it_also_counts_as_a_joker():
    assert score("RR*", ALL_COLOURS, "brown") == score("RRJ", ALL_COLOURS, "brown")
    assert score("RR*", ALL_COLOURS, "brown").total == 6
