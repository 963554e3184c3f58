"""Score rounds, and determine the result of a match."""

from functools import lru_cache
from operator import itemgetter

from games.engine.base import Line, Outcome, places
from games.engine.colorado_county.geometry import BORDER, LAKES, OWNERS, groups
from games.engine.records import Record
from games.engine.text import counted, listing

# Each table lists values by round; the first entry is round 1.
BORDER_PRIZES = ((6, 2), (9, 3), (4, 2), (2, 1))
LAKE_POINTS = (1, 2, 3, None)
"""None stands for the lake's own value."""
DOUBLE_POINTS = (2, 3, 2, 1)
DOMAIN_PRIZES = ((0, 0), (4, 0), (7, 2), (11, 5))

on_the_border = itemgetter(*BORDER)
DOUBLE = 2
SMALLEST_DOMAIN = 3


class Score(Record, frozen=True):
    """A seat's points in one round, by source."""

    border_squares: int
    border: int
    lakes_held: tuple[int, ...]
    """The values of the lakes that the seat holds."""
    lakes: int
    double_groups: int
    doubles: int
    domain_size: int
    """The size of the largest group, if it has at least three squares."""
    domain: int
    total: int


@lru_cache(maxsize=256)
def score(board: str, holders: tuple[int | None, ...], seats: int, number: int) -> tuple[Score, ...]:
    """Score every seat as if the round ended now."""
    edge = on_the_border(board)
    border_squares = [edge.count(owner) for owner in OWNERS[:seats]]
    group_sizes = [groups(board, owner) for owner in OWNERS[:seats]]
    domain_sizes = [largest_domain(sizes) for sizes in group_sizes]
    border = prizes(border_squares, BORDER_PRIZES[number - 1])
    domain = prizes(domain_sizes, DOMAIN_PRIZES[number - 1])
    scores = []
    for seat in range(seats):
        held = tuple([int(value) for value, holder in zip(LAKES, holders, strict=True) if holder == seat])
        lakes = lake_points(held, number)
        double_groups = group_sizes[seat].count(DOUBLE)
        doubles = double_groups * DOUBLE_POINTS[number - 1]
        total = border[seat] + lakes + doubles + domain[seat]
        scores.append(
            Score(
                border_squares[seat],
                border[seat],
                held,
                lakes,
                double_groups,
                doubles,
                domain_sizes[seat],
                domain[seat],
                total,
            )
        )
    return tuple(scores)


def lake_points(held: tuple[int, ...], number: int) -> int:
    each = LAKE_POINTS[number - 1]
    return sum(held) if each is None else each * len(held)


def largest_domain(sizes: list[int]) -> int:
    """Return the size of the largest group, if it is large enough. `sizes` starts with the largest."""
    return sizes[0] if sizes and sizes[0] >= SMALLEST_DOMAIN else 0


def prizes(counts: list[int], prize: tuple[int, int]) -> list[int]:
    """Award first and second place.

    Everyone tied for first gets the first prize, and nobody gets the second (house rule). Everyone tied for second gets
    the second prize. A count of zero gets nothing.
    """
    first = max(counts)
    second = max([count for count in counts if count < first], default=0) if counts.count(first) == 1 else 0
    worth = {second: prize[1], first: prize[0], 0: 0}
    return [worth.get(count, 0) for count in counts]


def outcome(rounds: tuple[tuple[Score, ...], ...], points: tuple[int, ...]) -> Outcome:
    """Return the result of a finished match, with the source of every point."""
    lines = tuple(
        tuple(line for number, scores in enumerate(rounds, start=1) for line in round_lines(number, scores[seat]))
        for seat in range(len(points))
    )
    return Outcome(points, places(points), lines, "finished")


def round_lines(number: int, score: Score) -> list[Line]:
    """List the sources from which the seat got points."""
    lines = (
        Line(number, "border", score.border, counted(score.border_squares, "square")),
        Line(number, "lakes", score.lakes, "worth " + listing([str(value) for value in score.lakes_held])),
        Line(number, "doubles", score.doubles, counted(score.double_groups, "group") + " of two"),
        Line(number, "great domain", score.domain, counted(score.domain_size, "square")),
    )
    return [line for line in lines if line.points]
