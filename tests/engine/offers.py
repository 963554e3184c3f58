"""Whether a move is among the choices: listed, or a form filled within its bounds."""

from typing import Any

import msgspec

from games.engine.choices import Choices, Form, Subset
from games.engine.dice import Dice
from games.engine.registry import AnyEngine


def offered(choices: Choices[Any], move: Any) -> bool:
    return move in choices.moves or any(fits(form, msgspec.to_builtins(move)) for form in choices.forms)


def fits(form: Form, filled: dict[str, Any]) -> bool:
    return form.move == filled["move"] and all(within(field, filled[field.name]) for field in form.fields)


def within(field: Subset, value: list[int]) -> bool:
    distinct = set(value)
    return field.least <= len(value) == len(distinct) <= field.most and distinct <= set(field.values)


def all_offered(engine: AnyEngine, choices: Choices[Any], dice: Dice) -> list[Any]:
    """Every listed move, and every form filled in a few ways."""
    return [*choices.moves, *(engine.fill(form, dice) for form in choices.forms for _ in range(3))]
