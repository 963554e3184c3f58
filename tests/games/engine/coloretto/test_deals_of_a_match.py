"""In a match of several games, each game starts one seat further to the left, and all points are added up."""

from typing import Any

import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import DealScored, DealStarted, FinishedDeal, MatchWon, Options, State
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, CLEO, after, events_of, table


def about_to_end(**rest: Any) -> State:
    """Return a match for three players in which Cleo takes the last row of the last round."""
    return table(rows=[None, None, "R"], took=[1, 2, None], to_move=CLEO, last_round=True, **rest)


@pytest.mark.parametrize(("options", "games"), [({"edition": "classic"}, 4), ({}, 1), ({"games": 8}, 8)])
def test_by_default_a_classic_match_has_four_games_and_a_modern_one_has_one(options, games):
    assert Options(**options).deals == games


def test_the_next_game_is_dealt_when_one_ends():
    second = after(about_to_end(games=2), "take 3")
    assert (second.deal, second.over, second.last_round) == (2, False, False)
    assert second.rows == ("", "", "")
    assert [len(hand) for hand in second.hands] == [1, 1, 1]
    assert second.supply.count("!") == 1


@pytest.mark.parametrize(("first", "second"), [(ANN, BEN), (BEN, CLEO), (CLEO, ANN)])
def test_the_next_game_starts_one_seat_further_left(first, second):
    assert after(about_to_end(games=2, starter=first), "take 3").to_move == second


def test_every_game_is_scored_and_the_next_one_announced():
    _, scored, started = events_of(about_to_end(games=2, hands=["BB", "GGG", ""]), "take 3")
    assert isinstance(scored, DealScored)
    assert isinstance(started, DealStarted)
    assert (scored.deal, scored.totals, started.deal) == (1, (3, 6, 1), 2)


def test_points_are_added_up_over_all_games():
    earlier = FinishedDeal(ALL_COLOURS, ("BBB", "G", "++"))
    ending = about_to_end(games=2, deal=2, finished=[earlier], hands=["B", "G", ""])
    assert events_of(ending, "take 3")[-1] == MatchWon(winners=(ANN,), totals=(6 + 1, 1 + 1, 4 + 1))


def test_the_match_is_over_after_its_last_game():
    over = after(about_to_end(games=1), "take 3")
    assert over.over
    assert ENGINE.awaiting(over) == frozenset()
    assert len(over.finished) == 1
