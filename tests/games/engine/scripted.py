"""Dice with predetermined results."""

from games.engine.dice import Dice


class ScriptedDice(Dice):
    """Returns the listed numbers one by one, and then zeros. Shuffling uses no numbers."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(bytes(32))
        self._numbers = list(numbers)

    def below(self, bound: int) -> int:
        number = self._numbers.pop(0) if self._numbers else 0
        assert number < bound
        return number
