"""Fast dice for positions that are only imagined."""

from collections.abc import Sequence
from typing import TypeVar

from games.engine.dice import Dice

T = TypeVar("T")
FACTOR, PRIME = 48271, 2**31 - 1
"""The constants of the minimal standard generator (Park and Miller)."""


class QuickDice(Dice):
    """Reproducible dice that are much faster than the real ones."""

    def __init__(self, *numbers: int) -> None:
        self.now = 1 + hash(numbers) % (PRIME - 1)

    def below(self, bound: int) -> int:
        self.now = self.now * FACTOR % PRIME
        return self.now % bound

    def shuffle(self, items: Sequence[T]) -> list[T]:
        shuffled, now = list(items), self.now
        for last in range(len(shuffled) - 1, 0, -1):
            now = now * FACTOR % PRIME
            other = now % (last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        self.now = now
        return shuffled

    def draw(self, items: Sequence[T], count: int) -> tuple[list[T], list[T]]:
        left, drawn, now = list(items), [], self.now
        for size in range(len(left), len(left) - count, -1):
            now = now * FACTOR % PRIME
            drawn.append(left.pop(now % size))
        self.now = now
        return drawn, left
