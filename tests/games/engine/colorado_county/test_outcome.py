"""The result of a match lists points by source and round, and wins can be shared."""

from typing import Any

from games.engine.base import Line
from games.engine.colorado_county.events import MatchWon, RoundScored
from games.engine.colorado_county.state import State
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, events, table
from tests.not_none import not_none


def last_auction(seats: int = 2, **changes: Any) -> State:
    return table(seats, cards="R00", deck="", round=4, **changes)


def ended(**changes: Any) -> State:
    return after(last_auction(**changes), *bids("none", "none"))


def test_there_is_no_outcome_before_the_end():
    assert ENGINE.outcome(last_auction()) is None


def test_the_outcome_lists_the_points_by_round_and_source():
    outcome = not_none(ENGINE.outcome(ended(land={ANN: "B1 A1 C1 E9 E10", BEN: "O1"})))
    assert outcome.points == (2 + 3 + 1 + 11, 1)
    assert outcome.places == (1, 2)
    assert outcome.lines[ANN] == (
        Line(1, "border", 2, "4 squares"),
        Line(1, "lakes", 3, "worth 3"),
        Line(1, "doubles", 1, "1 group of two"),
        Line(1, "great domain", 11, "3 squares"),
    )
    assert outcome.lines[BEN] == (Line(1, "border", 1, "1 square"),)


def test_the_points_of_all_rounds_are_added_up():
    once = after(table(2, cards="R00", deck="", land={ANN: "A1"}), *bids("none", "none"))
    assert (once.round, once.totals) == (2, (6, 0))
    told = events(last_auction(land={ANN: "A1"}, scores=once.scores), *bids("none", "none"))
    assert [event.totals for event in told if isinstance(event, RoundScored)] == [(8, 0)]


def test_a_tie_is_a_shared_win():
    state = last_auction(3, land={ANN: "A1", BEN: "O1"})
    told = events(state, *bids("none", "none", "none"))
    assert told[-1] == MatchWon((ANN, BEN), (2, 2, 0))
    outcome = not_none(ENGINE.outcome(after(state, *bids("none", "none", "none"))))
    assert outcome.places == (1, 1, 3)
    assert outcome.winners == (ANN, BEN)
    assert outcome.places[CLEO] == 3
