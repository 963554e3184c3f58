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


class Ranking(Record, frozen=True, tag="ranking"):
    """Some of the given values, the best liked first, such as wishes for a pick to come."""

    name: str
    values: tuple[Record, ...]
    most: int

    def sample(self, dice: Dice) -> list[Record]:
        return dice.draw(self.values, dice.below(min(self.most, len(self.values)) + 1))[0]


class Squares(Record, frozen=True, tag="squares"):
    """So many different squares of those given, such as those of flags. Which go together, `rule` says."""

    name: str
    values: tuple[str, ...]
    count: int
    rule: str

    def sample(self, dice: Dice) -> list[str]:
        return dice.draw(self.values, self.count)[0]


Field = Subset | Ranking | Squares


class Form(Record, frozen=True):
    """A move with blanks: fill each field within its bounds, and it is legal, as `example` is."""

    move: str
    fields: tuple[Field, ...]
    example: str


class Choices(Record, Generic[M], frozen=True):
    moves: tuple[M, ...] = ()
    forms: tuple[Form, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moves or self.forms)
