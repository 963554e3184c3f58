"""Limit what a bot can read to what a person in its seat would know."""

from collections.abc import Callable
from typing import Any, NoReturn

from games.engine.choices import Choices
from games.engine.dice import Dice, QuickDice
from games.engine.registry import AnyEngine


class Hidden(AttributeError):
    """Raised when a bot asks for something that its seat is not allowed to know."""


class Knowledge:
    """What a bot may know about a position: its seat's view, its choices, and imagined positions. This object keeps no
    reference to the real position, only to an imagined one that looks the same to the seat and offers it the same
    choices.
    """

    __slots__ = ("choices", "imagine", "view")

    view: Callable[[], Any]
    choices: Callable[[], Choices[Any]]
    imagine: Callable[[Dice], Any]
    """Returns a random position that the seat cannot distinguish from the real one."""

    def __init__(self, engine: AnyEngine, state: Any, seat: int) -> None:
        put, imagined = super().__setattr__, engine.imagine(state, seat, QuickDice(0))
        put("view", lambda: engine.view(imagined, seat))
        put("choices", lambda: engine.choices(imagined, seat))
        put("imagine", lambda dice: engine.imagine(imagined, seat, dice))

    def __getattr__(self, name: str) -> NoReturn:
        raise Hidden(f"A bot can use view, choices and imagine, but not '{name}'.")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise Hidden(f"A bot can't change '{name}'.")

    def __delattr__(self, name: str) -> NoReturn:
        raise Hidden(f"A bot can't change '{name}'.")
