"""When the last-round card is drawn, it is set aside, and the game ends after that round."""

from typing import Any

from games.engine.coloretto.state import CardDrawn, DealScored, LastRoundSeen, MatchWon, RoundEnded
from tests.games.engine.coloretto.tables import ANN, BEN, CLEO, after, events_of, table

CLEO_IS_ALONE: dict[str, Any] = {"took": [1, 2, None], "to_move": CLEO}


def test_another_card_replaces_the_last_round_card():
    drawn = after(table(supply="!RG"), "draw")
    assert (drawn.drawn, drawn.supply, drawn.last_round) == ("R", "G", True)


def test_everybody_sees_that_the_last_round_card_came_up():
    assert events_of(table(supply="!RG"), "draw") == (LastRoundSeen(ANN), CardDrawn(ANN, "R"))


def test_the_round_continues_after_the_last_round_card_comes_up():
    state = after(table(rows=["B", "", ""], supply="!RG"), "draw", "place 1")
    assert (state.over, state.to_move, state.last_round) == (False, BEN, True)


def test_the_game_ends_after_that_round():
    last = table(rows=[None, None, "R"], last_round=True, **CLEO_IS_ALONE)
    assert after(last, "take 3").over
    assert [type(event) for event in events_of(last, "take 3")[1:]] == [DealScored, MatchWon]


def test_another_round_follows_if_the_last_round_card_has_not_come_up():
    ended = table(rows=[None, None, "R"], supply="!B", **CLEO_IS_ALONE)
    assert not after(ended, "take 3").over
    assert isinstance(events_of(ended, "take 3")[-1], RoundEnded)
