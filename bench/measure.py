"""Measuring in turns, so that whatever else the machine does falls on all alike."""

from collections.abc import Callable
from statistics import median
from time import process_time

ROUNDS = 5
SECONDS_OF_A_ROUND = 0.2

Work = Callable[[], int]
"""Does one piece of work and says how many units it was."""


def rate(work: Work) -> tuple[float, float]:
    """Pieces and units per second of processor time."""
    pieces = units = 0
    start = process_time()
    while (spent := process_time() - start) < SECONDS_OF_A_ROUND or not pieces:
        units += work()
        pieces += 1
    return pieces / spent, units / spent


def rates(*works: Work) -> list[tuple[float, float]]:
    """The median rate of each, all measured in turns."""
    rounds = [[rate(work) for work in works] for _ in range(ROUNDS)]
    return [
        (median(pieces for pieces, _ in of_one), median(units for _, units in of_one))
        for of_one in zip(*rounds, strict=True)
    ]
