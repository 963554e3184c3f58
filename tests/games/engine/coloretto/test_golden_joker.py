"""The golden joker counts as a joker and also gives the player who takes it the top card of the supply."""

from games.engine.coloretto.scoring import score
from games.engine.coloretto.state import GoldenCardGained, LastRoundSeen, RowTaken
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, after, events_of, table


def test_taking_the_golden_joker_gives_the_top_card_of_the_supply():
    taken = after(table(rows=["B*", "", ""], supply="RG", hands=["Y", "", ""]), "take 1")
    assert (taken.hands[ANN], taken.supply) == ("YB*R", "G")


def test_placing_the_golden_joker_reveals_nothing():
    placed = after(table(supply="*RG"), "draw", "place 1")
    assert (placed.rows[0], placed.supply) == ("*", "RG")


def test_everybody_sees_the_extra_card():
    happened = events_of(table(rows=["B*", "", ""], supply="RG"), "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), GoldenCardGained(ANN, "R"))


def test_if_the_extra_card_is_the_last_round_card_the_player_gets_another_one_and_the_last_round_starts():
    state = table(rows=["B*", "", ""], supply="!RG")
    happened = events_of(state, "take 1")
    assert happened == (RowTaken(ANN, 1, "B*"), LastRoundSeen(ANN), GoldenCardGained(ANN, "R"))
    assert after(state, "take 1").last_round


def test_the_game_ends_if_the_golden_joker_reveals_the_last_round_card_at_the_end_of_a_round():
    state = table(rows=[None, "B*", None], took=[1, None, 3], to_move=BEN, supply="!RG")
    ended = after(state, "take 2")
    assert ended.over
    assert ended.finished[0].hands[BEN] == "B*R"


def test_the_golden_joker_also_counts_as_a_joker():
    assert score("RR*", ALL_COLOURS, "brown") == score("RRJ", ALL_COLOURS, "brown")
    assert score("RR*", ALL_COLOURS, "brown").total == 6
