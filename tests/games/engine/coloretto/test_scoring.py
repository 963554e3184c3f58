"""Three colors count as positive and the others as negative, and jokers go where they are worth most."""

import pytest

from games.engine.coloretto.scoring import score
from games.engine.coloretto.state import Score
from tests.games.engine.coloretto.tables import ALL_COLOURS

EXAMPLE = "J+" + 6 * "G" + 4 * "Y" + 3 * "R" + 2 * "B"


def lines(scored: Score) -> list[tuple[str, int, int, int]]:
    return [(line.colour, line.cards, line.jokers, line.points) for line in scored.colours]


def brown(hand: str, colours: str = ALL_COLOURS) -> int:
    return score(hand, colours, "brown").total


def violet(hand: str, colours: str = ALL_COLOURS) -> int:
    return score(hand, colours, "violet").total


@pytest.mark.parametrize(("cards", "points"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 21), (9, 21)])
def test_brown_scoring_rewards_up_to_six_cards_of_a_color(cards, points):
    assert brown("R" * cards) == points


@pytest.mark.parametrize(("cards", "points"), [(1, 1), (2, 4), (3, 8), (4, 7), (5, 6), (6, 5), (7, 5), (9, 5)])
def test_violet_scoring_is_best_at_three_cards(cards, points):
    assert violet("R" * cards) == points


def test_an_empty_hand_scores_nothing():
    assert score("", ALL_COLOURS, "brown") == Score((), 0, 0)


def test_three_colors_count_as_positive_and_the_others_as_negative():
    assert brown("BBBGGRYP") == 6 + 3 + 1 - 1 - 1


def test_the_best_three_colors_count_as_positive():
    assert brown("B" + "GG" + "RRR" + "YYYY") == 10 + 6 + 3 - 1


def test_each_plus_two_card_is_worth_two_points():
    assert brown("+++B") == 6 + 1


def test_the_example_in_the_rules_scores_41():
    assert brown(EXAMPLE) == 41


def test_the_breakdown_of_the_example_lists_every_source():
    scored = score(EXAMPLE, ALL_COLOURS, "brown")
    assert lines(scored) == [("G", 6, 0, 21), ("Y", 5, 1, 15), ("R", 3, 0, 6), ("B", 2, 0, -3)]
    assert scored.plus_twos == 1


def test_a_joker_is_not_wasted_on_a_color_that_already_has_six():
    assert lines(score("GGGGGGRJ", ALL_COLOURS, "brown")) == [("G", 6, 0, 21), ("R", 2, 1, 3)]


def test_jokers_may_become_different_colors():
    assert lines(score("GGGGGRRRRRJJ", ALL_COLOURS, "brown")) == [("G", 6, 1, 21), ("R", 6, 1, 21)]


def test_a_joker_may_become_a_color_the_player_does_not_have():
    assert lines(score(6 * "G" + 6 * "R" + "J", ALL_COLOURS, "brown"))[2] == ("B", 1, 1, 1)


def test_a_joker_only_becomes_a_color_in_play():
    assert lines(score("J", "RVY", "brown")) == [("R", 1, 1, 1)]


def test_with_violet_scoring_a_joker_may_be_best_on_a_negative_color():
    """A fourth card makes a negative color cost one point less, while a new color would cost more."""
    scored = score("BBBGGGRRRYYYJ", ALL_COLOURS, "violet")
    assert lines(scored) == [("G", 3, 0, 8), ("R", 3, 0, 8), ("Y", 3, 0, 8), ("B", 4, 1, -7)]
    assert scored.total == 17


def test_with_violet_scoring_a_third_card_is_worth_more_than_a_seventh():
    assert lines(score("GGGGGGRRJ", ALL_COLOURS, "violet")) == [("R", 3, 1, 8), ("G", 6, 0, 5)]


def test_a_joker_is_not_always_best_on_the_largest_color():
    """A seventh green card would add nothing, but a fifth yellow card adds five."""
    assert brown("GGGGGGYYYYJ") == 21 + 15
