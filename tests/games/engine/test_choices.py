"""Form fields allow certain values, and random values stay within these bounds."""

import pytest

from games.engine.choices import Ranking, Squares, Subset, sides
from games.engine.dice import Dice
from games.engine.records import Record
from tests.games.engine.offers import open_after
from tests.games.engine.playing import seed_of


class Wish(Record, frozen=True):
    number: int


WISHES = tuple(Wish(number) for number in range(5))
SAMPLES = 200


def samples(field):
    dice = Dice(seed_of(field.name))
    return [field.sample(dice) for _ in range(SAMPLES)]


def test_a_subset_is_sorted_and_within_bounds_and_has_no_duplicates():
    found = samples(Subset("cowboys", (3, 12, 45, 60), 1, 3))
    assert all(values == sorted(set(values)) for values in found)
    assert {len(values) for values in found} == {1, 2, 3}


def test_a_ranking_has_no_duplicates_and_is_often_short():
    lengths = [len(values) for values in samples(Ranking("plan", WISHES, 4))]
    assert set(lengths) == {0, 1, 2, 3, 4}
    assert lengths.count(0) > lengths.count(4)
    assert all(len(set(values)) == len(values) for values in samples(Ranking("plan", WISHES, 4)))


def test_a_ranking_of_nothing_is_empty():
    assert samples(Ranking("plan", (), 4)) == [[]] * SAMPLES


def test_squares_are_open_unless_blocked_or_next_to_an_earlier_one():
    field = Squares("squares", ("A1", "B1", "C1", "D1", "O10"), shut=("O10",), count=2)
    assert open_after(field, []) == ["A1", "B1", "C1", "D1"]
    assert open_after(field, ["B1"]) == ["D1"]


def test_if_no_square_is_open_all_remaining_squares_count_as_open():
    field = Squares("squares", ("A1", "B1", "O10"), shut=("O10",), count=3)
    assert open_after(field, ["A1"]) == ["B1", "O10"]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_random_squares_are_open_when_they_are_chosen(count):
    field = Squares("squares", ("A1", "B1", "C1", "D1", "O10"), shut=("O10",), count=count)
    for named in samples(field):
        assert len(named) == count
        assert all(square in open_after(field, named[:place]) for place, square in enumerate(named))


def test_a_square_has_four_neighbors():
    assert sorted(sides("D7")) == ["C7", "D6", "D8", "E7"]
    assert "B10" in sides("A10")
