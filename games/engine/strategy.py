"""What a game can tell bots about good play."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from games.engine.dice import Dice

S = TypeVar("S")
M = TypeVar("M")


class Option(NamedTuple, Generic[M]):
    """A move worth considering. Its label is the same in all positions that a seat cannot tell apart."""

    label: Hashable
    move: M


class Strategy(ABC, Generic[S, M]):
    """A game's advice. The positions it gets are imagined, so it cannot leak anything."""

    @abstractmethod
    def options(self, state: S, seat: int, dice: Dice) -> list[Option[M]]:
        """The moves worth considering, at least one."""

    @abstractmethod
    def worth(self, state: S, seat: int, options: Sequence[Option[M]]) -> list[float]:
        """By option: the points this seat gains by it, less what it gives the others, looking one move ahead."""

    @abstractmethod
    def playout_move(self, state: S, seat: int, dice: Dice) -> M:
        """A plausible move, found quickly."""

    @abstractmethod
    def is_horizon(self, start: S, state: S) -> bool:
        """Whether a playout that began at `start` can be judged here."""

    @abstractmethod
    def chances(self, state: S) -> Sequence[float]:
        """By seat: the chance to win the match from here, after the match the result."""

    def reopened(self, state: S, seat: int) -> S:
        """An imagined position without the decisions that others have sealed: imagined ones are arbitrary, and a search
        has better guesses."""
        return state
