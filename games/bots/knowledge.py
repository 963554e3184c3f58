"""Limit what a bot can read to what a person in its seat would know."""

from collections.abc import Callable
from typing import Any, NoReturn

from games.engine.choices import Choices
from games.engine.dice import Dice
from games.engine.registry import AnyEngine


class Hidden(AttributeError):
    """Raised when a bot asks for something its seat may not know."""


class Knowledge:
    """A position as seen from one seat."""

    __slots__ = ("choices", "imagine", "view")

    view: Callable[[], Any]
    choices: Callable[[], Choices[Any]]
    imagine: Callable[[Dice], Any]
    """Returns a random position that the seat cannot distinguish from the real one."""

    def __init__(self, engine: AnyEngine, state: Any, seat: int) -> None:
        put = super().__setattr__
        put("view", lambda: engine.view(state, seat))
        put("choices", lambda: engine.choices(state, seat))
        put("imagine", lambda dice: engine.imagine(state, seat, dice))

    def __getattr__(self, name: str) -> NoReturn:
        raise Hidden(f"A bot can use view, choices and imagine, but not '{name}'.")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise Hidden(f"A bot can't change '{name}'.")
