"""All randomness of a match: a SHA-256 counter generator anyone can write again.

The exact definition, with which a stranger gets the same cards, is in docs/dice.md; the vectors are in
tests/engine/test_dice.py. Python's own `random` is not used because its sequences are no contract.
"""

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
WORDS_IN_A_BLOCK = Struct(">4Q")
COUNTERS = Struct(">QQ")
WORD_RANGE = 2**64


class Dice:
    """The random numbers of one turn of one match; another turn is another, independent stream."""

    def __init__(self, seed: bytes, turn: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        if not 0 <= turn < WORD_RANGE:
            raise ValueError(f"A turn is from 0 to 2**64 - 1, not {turn}.")
        self._seed = seed
        self._turn = turn
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 64 random bits."""
        if not self._words:
            block = sha256(self._seed + COUNTERS.pack(self._turn, self._block)).digest()
            self._block += 1
            self._words = list(reversed(WORDS_IN_A_BLOCK.unpack(block)))
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each as likely: words in the incomplete last stretch are rejected."""
        if not 0 < bound <= WORD_RANGE:
            raise ValueError(f"The bound must be from 1 to 2**64, not {bound}.")
        fair = WORD_RANGE - WORD_RANGE % bound
        word = self.word()
        while word >= fair:
            word = self.word()
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in random order (Fisher and Yates, from the last place to the second)."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            swap(shuffled, last, self.below(last + 1))
        return shuffled

    def draw(self, items: Sequence[T], count: int) -> tuple[list[T], list[T]]:
        """`count` of the items one after another without putting back, and those left in their old order."""
        if not 0 <= count <= len(items):
            raise ValueError(f"Cannot draw {count} of {len(items)}.")
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)], left


def swap(items: MutableSequence[T], one: int, other: int) -> None:
    items[one], items[other] = items[other], items[one]
