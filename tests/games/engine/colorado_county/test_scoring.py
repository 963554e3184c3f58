"""The points in every row of the scoring table are correct, including those for ties."""

import pytest

from games.engine.colorado_county.scoring import Score, score
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, DAN, table

Land = dict[int, str]


def scores(number: int, land: Land, seats: int = 4) -> tuple[Score, ...]:
    state = table(seats, land=land)
    return score(state.board, state.holders, seats, number)


def border(number: int, land: Land) -> list[int]:
    return [found.border for found in scores(number, land)]


def lakes(number: int, land: Land) -> list[int]:
    return [found.lakes for found in scores(number, land)]


def doubles(number: int, land: Land) -> list[int]:
    return [found.doubles for found in scores(number, land)]


def domain(number: int, land: Land) -> list[int]:
    return [found.domain for found in scores(number, land)]


BORDERS = {ANN: "A1 A3 O5", BEN: "A10 O10", CLEO: "C10", DAN: "C4"}


@pytest.mark.parametrize(("number", "first", "second"), [(1, 6, 2), (2, 9, 3), (3, 4, 2), (4, 2, 1)])
def test_the_players_with_the_most_and_second_most_border_squares_score(number, first, second):
    assert border(number, BORDERS) == [first, second, 0, 0]


def test_everyone_tied_for_the_most_border_squares_gets_the_points_for_first_place_and_there_is_no_second():
    assert border(1, {ANN: "A1 A3", BEN: "A10 O10", CLEO: "C10"}) == [6, 6, 0, 0]


def test_everyone_tied_for_the_second_most_border_squares_gets_the_points_for_second_place():
    assert border(1, {ANN: "A1 A3", BEN: "O10", CLEO: "C10"}) == [6, 2, 2, 0]


def test_a_player_without_border_squares_scores_nothing_for_the_border():
    assert border(1, {ANN: "B4", BEN: "A1"}) == [0, 6, 0, 0]
    assert border(1, {ANN: "B4"}) == [0, 0, 0, 0]


HELD = {ANN: "B1 E1 H2", BEN: "B5 G6 L4"}


@pytest.mark.parametrize(("number", "each"), [(1, 1), (2, 2), (3, 3)])
def test_the_points_for_a_lake_depend_on_the_round(number, each):
    assert lakes(number, HELD) == [3 * each, 3 * each, 0, 0]


def test_in_round_four_each_lake_scores_its_value():
    assert lakes(4, HELD) == [3 + 4 + 5, 6 + 7 + 8, 0, 0]
    assert scores(4, HELD)[BEN].lakes_held == (6, 7, 8)


DOUBLES = {ANN: "A9 B9 D9 D10", BEN: "F9 G9 H9", CLEO: "J9 K10", DAN: "M9 N9"}


@pytest.mark.parametrize(("number", "each"), [(1, 2), (2, 3), (3, 2), (4, 1)])
def test_the_points_for_a_group_of_exactly_two_squares_depend_on_the_round(number, each):
    assert doubles(number, DOUBLES) == [2 * each, 0, 0, each]


DOMAINS = {ANN: "A9 B9 C9 C10", BEN: "E9 F9 G9", CLEO: "I9 J9", DAN: "L10"}


@pytest.mark.parametrize(("number", "first", "second"), [(1, 0, 0), (2, 4, 0), (3, 7, 2), (4, 11, 5)])
def test_the_largest_and_second_largest_group_of_three_or_more_score(number, first, second):
    assert domain(number, DOMAINS) == [first, second, 0, 0]


def test_everyone_tied_for_the_largest_domain_gets_the_points_for_first_place_and_there_is_no_second():
    land = {ANN: "A9 B9 C9 C10", BEN: "E9 F9 G9 G10", CLEO: "I9 J9 K9"}
    assert domain(4, land) == [11, 11, 0, 0]


def test_everyone_tied_for_the_second_largest_domain_gets_the_points_for_second_place():
    land = {ANN: "A9 B9 C9 C10", BEN: "E9 F9 G9", CLEO: "I9 J9 K9"}
    assert domain(4, land) == [11, 5, 5, 0]


def test_only_a_players_largest_group_counts_as_a_domain():
    land = {ANN: "A8 B8 C8 A10 B10 C10", BEN: "E9 F9 G9 G10"}
    assert domain(4, land) == [5, 11, 0, 0]


def test_squares_that_touch_only_by_a_corner_are_not_connected():
    assert scores(2, {ANN: "A9 B10"})[ANN].double_groups == 0


def test_the_two_ends_of_the_board_are_not_connected():
    assert scores(2, {ANN: "O3 A4"})[ANN].double_groups == 0


def test_the_total_is_the_sum_of_the_four_sources():
    found = scores(2, {ANN: "A1 B1 A9 A10 C9 D9 E9"})[ANN]
    assert (found.border, found.lakes, found.doubles, found.domain) == (9, 2, 6, 4)
    assert found.total == 21
