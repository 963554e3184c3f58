"""The interface through which a game advises bots."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from games.engine.dice import Dice

S = TypeVar("S")
M = TypeVar("M")


class Option(NamedTuple, Generic[M]):
    """A promising move. Its label is the same in all positions that the seat cannot distinguish."""

    label: Hashable
    move: M


class Strategy(ABC, Generic[S, M]):
    """A game's advice to bots. It is based only on imagined positions, so it cannot leak anything."""

    curiosity = 0.25
    """How strongly a search prefers options that it has rarely tried. This should grow with the spread of `chances`."""

    @abstractmethod
    def options(self, state: S, seat: int, dice: Dice) -> list[Option[M]]:
        """Return at least one promising move."""

    @abstractmethod
    def worth(self, state: S, seat: int, options: Sequence[Option[M]]) -> list[float]:
        """Rate each option by looking one move ahead: the points that this seat gains, minus a share of what the others
        gain."""

    @abstractmethod
    def playout_move(self, state: S, seat: int, dice: Dice) -> M:
        """Choose a plausible move quickly."""

    @abstractmethod
    def is_horizon(self, start: S, state: S) -> bool:
        """Return whether a playout from `start` has gone far enough to be judged."""

    @abstractmethod
    def chances(self, state: S) -> Sequence[float]:
        """Estimate each seat's chance of winning the match. After the match, the estimate is the result."""

    def reopened(self, state: S, seat: int) -> S:
        """Remove the sealed moves that were made up for other seats, because the search makes better guesses."""
        return state
