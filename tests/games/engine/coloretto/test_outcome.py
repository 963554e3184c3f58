"""The player with the most points wins, tied players share the win, and every point has a source."""

from games.engine.base import Line
from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import FinishedDeal, MatchWon, State
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, CLEO, after, events_of, table


def ended(*hands: str, finished: tuple[FinishedDeal, ...] = ()) -> State:
    """Return a finished match with these hands, in which Cleo took a +2 last."""
    assert hands[CLEO].endswith("+")
    return after(about_to_end(*hands, finished=finished), "take 3")


def about_to_end(*hands: str, finished: tuple[FinishedDeal, ...] = ()) -> State:
    held = [*hands[:CLEO], hands[CLEO][:-1]]
    deal = len(finished) + 1
    return table(
        rows=[None, None, "+"],
        took=[1, 2, None],
        to_move=CLEO,
        last_round=True,
        hands=held,
        deal=deal,
        games=deal,
        finished=finished,
    )


def test_there_is_no_outcome_before_the_end():
    assert ENGINE.outcome(table()) is None


def test_the_player_with_the_most_points_wins():
    outcome = ENGINE.outcome(ended("BBB", "B", "+"))
    assert outcome
    assert (outcome.points, outcome.places, outcome.winners) == ((6, 1, 2), (1, 3, 2), (ANN,))


def test_a_tie_is_a_shared_win():
    outcome = ENGINE.outcome(ended("BBB", "GGG", "+"))
    assert outcome
    assert (outcome.places, outcome.winners) == ((1, 1, 3), (ANN, BEN))
    assert events_of(about_to_end("BBB", "GGG", "+"), "take 3")[-1] == MatchWon((ANN, BEN), (6, 6, 2))


def test_the_totals_of_all_games_decide_who_wins():
    first = FinishedDeal(ALL_COLOURS, ("B", "BBBB", ""))
    outcome = ENGINE.outcome(ended("BBB", "B", "+", finished=(first,)))
    assert outcome
    assert (outcome.points, outcome.winners) == ((7, 11, 2), (BEN,))


def test_every_line_of_the_result_names_its_game_and_color_and_points_and_cards():
    first = FinishedDeal(ALL_COLOURS, ("BBJ++", "", ""))
    outcome = ENGINE.outcome(ended("R", "", "+", finished=(first,)))
    assert outcome
    assert outcome.lines[ANN] == (
        Line(1, "blue", 6, "3 cards (1 joker)"),
        Line(1, "+2", 4, "2 cards"),
        Line(2, "red", 1, "1 card"),
    )
    assert outcome.lines[BEN] == ()
    assert outcome.reason == "finished"
