"""The choices of a seat: moves to pick from, and forms for decisions with too many possibilities to list."""

from typing import Annotated, Any, Generic, TypeVar

import msgspec

from games.engine.dice import Dice
from games.engine.records import Move, Record

M = TypeVar("M", bound=Move)
AnyRecord = Annotated[Any, msgspec.Meta(extra_json_schema={"type": "object"})]


class Subset(Record, frozen=True, tag="subset"):
    """A subset of the given values, such as the cowboys in a bid."""

    name: str
    values: tuple[int, ...]
    least: int
    most: int

    def sample(self, dice: Dice) -> list[int]:
        count = self.least + dice.below(self.most - self.least + 1)
        return sorted(dice.draw(self.values, count)[0])


class Ranking(Record, frozen=True, tag="ranking"):
    """Some of the given values in order of preference, such as the picks in a plan."""

    name: str
    values: tuple[AnyRecord, ...]
    most: int

    def sample(self, dice: Dice) -> list[Record]:
        """Choose a random ranking. Short rankings are more likely, because people tend to rank only a few values."""
        count = 0
        while count < min(self.most, len(self.values)) and dice.below(2):
            count += 1
        return dice.draw(self.values, count)[0]


class Squares(Record, frozen=True, tag="squares"):
    """A choice of `count` squares.

    There must be an order in which each of them is open when it is chosen: not in `shut`, and not next to an earlier
    one. Once no open square is left, all remaining squares count as open.
    """

    name: str
    values: tuple[str, ...]
    shut: tuple[str, ...]
    count: int

    def sample(self, dice: Dice) -> list[str]:
        named: list[str] = []
        left, opened = set(self.values), set(self.values).difference(self.shut)
        while len(named) < self.count:
            square = dice.choice(self.values)
            if square in (opened or left):
                named.append(square)
                opened.difference_update((square, *sides(square)))
                left.discard(square)
        return named


def sides(square: str) -> list[str]:
    """Return the four neighbors of a square, even those off the board. For D7, these are C7, D6, D8 and E7."""
    column, row = ord(square[0]), int(square[1:])
    return [f"{chr(column + right)}{row + down}" for right, down in ((-1, 0), (0, -1), (0, 1), (1, 0))]


Field = Subset | Ranking | Squares


class Form(Record, frozen=True):
    """A move with blanks to fill in, as in `example`. It is legal if each field is within its bounds."""

    move: str
    fields: tuple[Field, ...]
    example: str


class Button(Record, frozen=True):
    """A listed move, which web pages offer as a button or on the board."""

    label: str
    places: tuple[str, ...] = ()
    """What to tap on the board instead of the button: rows, cards or squares. The first place is tapped first, and the
    others in any order. No two moves of a kind have the same places."""
    title: str = ""
    """Moves with the same title are listed only after that title has been chosen. A move with an empty title is always
    listed."""


class Choices(Record, Generic[M], frozen=True):
    moves: tuple[M, ...] = ()
    forms: tuple[Form, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moves or self.forms)
