"""The random numbers of a match, from a SHA-256 counter generator that is easy to reimplement.

docs/dice.md has the exact definition, so that anyone can reproduce the cards. Test vectors are in
tests/games/engine/test_dice.py. Python's `random` is not used, because its sequences may change between versions.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
WORDS_IN_A_BLOCK = Struct(">4Q")
COUNTERS = Struct(">QQ")
WORD_RANGE = 2**64
FACTOR, SUMMAND = 29773421, 12345
QUICK_BITS = 30
QUICK_MASK = (1 << QUICK_BITS) - 1
MIXER = 6364136223846793005


class Dice:
    """The random numbers of one turn of a match. Each turn has its own independent stream."""

    def __init__(self, seed: bytes, turn: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed must have {SEED_BYTES} bytes, not {len(seed)}.")
        if not 0 <= turn < WORD_RANGE:
            raise ValueError(f"A turn must be from 0 to 2**64 - 1, not {turn}.")
        self._words = words(seed, turn)

    def word(self) -> int:
        """Return the next 64 random bits."""
        return next(self._words)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1.

        All numbers are equally likely, because values in the incomplete last range are rejected.
        """
        if not 0 < bound <= WORD_RANGE:
            raise ValueError(f"The bound must be from 1 to 2**64, not {bound}.")
        last_stretch = WORD_RANGE - bound
        while True:
            word = next(self._words)
            number = word % bound
            if word - number <= last_stretch:
                return number

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher-Yates, from the last position to the second)."""
        shuffled, below = list(items), self.below
        for last in range(len(shuffled) - 1, 0, -1):
            other = below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def draw(self, items: Sequence[T], count: int) -> tuple[list[T], list[T]]:
        """Draw `count` items without replacement. Return the drawn items, and the others in their original order."""
        if not 0 <= count <= len(items):
            raise ValueError(f"Cannot draw {count} of {len(items)}.")
        left = list(items)
        return [left.pop(self.below(size)) for size in range(len(left), len(left) - count, -1)], left


class QuickDice(Dice):
    """A linear congruential generator for playouts in a search, where nobody checks the numbers.

    Its state is small, which makes the arithmetic fast.
    """

    def __init__(self, seed: int) -> None:
        self._state: int = seed * MIXER >> 33 & QUICK_MASK

    def word(self) -> int:
        return self.below(2**24) << 40 | self.below(2**20) << 20 | self.below(2**20)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1. It comes from the high bits, because the low bits repeat too soon."""
        self._state = state = self._state * FACTOR + SUMMAND & QUICK_MASK
        return state * bound >> QUICK_BITS

    def draw(self, items: Sequence[T], count: int) -> tuple[list[T], list[T]]:
        """Draw items like `Dice.draw`. `below` is inlined here, because searches draw very often."""
        left, state = list(items), self._state
        drawn = []
        for size in range(len(left), len(left) - count, -1):
            state = state * FACTOR + SUMMAND & QUICK_MASK
            drawn.append(left.pop(state * size >> QUICK_BITS))
        self._state = state
        return drawn, left


def words(seed: bytes, turn: int) -> Iterator[int]:
    for block in count():
        yield from WORDS_IN_A_BLOCK.unpack(sha256(seed + COUNTERS.pack(turn, block)).digest())
