"""Dice that fall as a test wants them to."""

from games.engine.dice import Dice


class ScriptedDice(Dice):
    """Gives the listed numbers, each to the bound it was written for, then zeros. Under a shuffle, where
    nobody wants to count, every number is as good as another."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(bytes(32))
        self._numbers = list(numbers)

    def below(self, bound: int) -> int:
        number = self._numbers.pop(0) if self._numbers else 0
        assert number < bound
        return number
