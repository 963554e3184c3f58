"""What a seat may do now: moves to pick from, and forms for decisions too many to list."""

from typing import Generic, TypeVar

from games.engine.dice import Dice
from games.engine.records import Move, Record

M = TypeVar("M", bound=Move)


class Subset(Record, frozen=True, tag="subset"):
    """A set of some of the given values, such as the tokens of a bid."""

    name: str
    values: tuple[int, ...]
    least: int
    most: int

    def sample(self, dice: Dice) -> list[int]:
        count = self.least + dice.below(self.most - self.least + 1)
        return sorted(dice.draw(self.values, count)[0])


class Form(Record, frozen=True):
    """A move with blanks: fill each field within its bounds, and it is legal, as `example` is."""

    move: str
    fields: tuple[Subset, ...]
    example: str


class Choices(Record, Generic[M], frozen=True):
    moves: tuple[M, ...] = ()
    forms: tuple[Form, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moves or self.forms)
