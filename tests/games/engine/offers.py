"""Check whether a move is among the choices, either in the list or as a form that is filled in within its bounds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.engine.choices import Choices, Field, Form, Ranking, Squares, Subset, sides
from games.engine.dice import Dice
from games.engine.registry import AnyEngine


def offered(choices: Choices[Any], move: Any) -> bool:
    return move in choices.moves or any(fits(form, msgspec.to_builtins(move)) for form in choices.forms)


def fits(form: Form, filled: dict[str, Any]) -> bool:
    return form.move == filled["move"] and all(within(field, filled[field.name]) for field in form.fields)


def within(field: Field, value: list[Any]) -> bool:
    match field:
        case Subset(values=values, least=least, most=most):
            return least <= len(value) == len(set(value)) <= most and set(value) <= set(values)
        case Ranking(values=values, most=most):
            return len(value) <= most and (not value or all_among(value, msgspec.to_builtins(values)))
        case Squares(count=count):
            return len(value) == count and all(square in open_after(field, value[:i]) for i, square in enumerate(value))


def open_after(field: Squares, named: Sequence[str]) -> list[str]:
    """Return the squares that may come next."""
    left = [square for square in field.values if square not in named]
    shut = {*field.shut, *(near for square in named for near in sides(square))}
    return [square for square in left if square not in shut] or left


def all_among(wishes: list[Any], values: list[Any]) -> bool:
    return all(wish in values for wish in wishes)


def all_offered(engine: AnyEngine, choices: Choices[Any], dice: Dice, fillings: int) -> list[Any]:
    """Return every listed move, and every form filled in several ways."""
    return [*choices.moves, *(engine.fill(form, dice) for form in choices.forms for _ in range(fillings))]
