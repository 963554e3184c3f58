"""The fallback for games without a strategy, which tries each move in random matches."""

from collections.abc import Sequence
from typing import Any

from games.engine.dice import Dice
from games.engine.registry import AnyEngine
from games.engine.strategy import Option, Strategy

FILLINGS = 3
"""How many random ways of filling in each form are tried."""


class Playouts(Strategy[Any, Any]):
    """Judges moves by playing random matches to the end."""

    curiosity = 1.0
    """A match is either won or lost, so a single result says little."""

    def __init__(self, engine: AnyEngine) -> None:
        self.engine = engine

    def options(self, state: Any, seat: int, dice: Dice) -> list[Option[Any]]:
        choices = self.engine.choices(state, seat)
        listed = [move for move in choices.moves if move != self.engine.withdrawal]
        filled = [self.engine.fill(form, dice) for form in choices.forms for _ in range(FILLINGS)]
        return [Option(move, move) for move in dict.fromkeys([*listed, *filled])]

    def worth(self, state: Any, seat: int, options: Sequence[Option[Any]]) -> list[float]:
        return [0.0] * len(options)

    def playout_move(self, state: Any, seat: int, dice: Dice) -> Any:
        return self.engine.sample(state, seat, dice)

    def is_horizon(self, start: Any, state: Any) -> bool:
        return not self.engine.awaiting(state)

    def chances(self, state: Any) -> Sequence[float]:
        outcome = self.engine.outcome(state)
        if outcome is None:
            raise ValueError("Only a finished match can be judged.")
        winners = outcome.winners
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.points))]
