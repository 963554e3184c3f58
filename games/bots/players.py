"""The difficulty levels, which differ in how far a bot thinks ahead."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.bots.knowledge import Knowledge
from games.bots.playouts import Playouts
from games.bots.search import Search
from games.engine.dice import Dice
from games.engine.errors import EngineError
from games.engine.registry import AnyEngine
from games.engine.strategy import Option, Strategy

Clock = Callable[[], float]

SECONDS = 1.5
"""Default thinking time of a hard bot."""
MISTAKE = 25
"""The chance, in percent, that an easy bot skips the best move and considers the next best."""
PLAYOUTS = {"easy": 6, "normal": 40}
"""How many worlds each level tries in a game that has no strategy."""


class UnknownLevel(EngineError):
    """Raised for an unknown difficulty level."""


class Player(Protocol):
    def decide(
        self,
        engine: AnyEngine,
        state: Any,
        seat: int,
        dice: Dice,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        clock: Clock = time.perf_counter,
    ) -> Any:
        """Return a legal move. With the same dice and iterations, it depends only on what the seat may know."""


class OneMoveAhead:
    """Picks the move with the best immediate result."""

    def __init__(self, level: str, mistakes: int = 0) -> None:
        self.level, self.mistakes = level, mistakes

    def decide(
        self,
        engine: AnyEngine,
        state: Any,
        seat: int,
        dice: Dice,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        clock: Clock = time.perf_counter,
    ) -> Any:
        knowledge, strategy = Knowledge(engine, state, seat), engine.strategy
        if strategy is None:
            worlds = PLAYOUTS[self.level]
            return Search(engine, Playouts(engine), knowledge, seat, dice).best_move(lambda tried: tried < worlds)
        return self.choice(strategy, knowledge, seat, dice).move

    def choice(self, strategy: Strategy[Any, Any], knowledge: Knowledge, seat: int, dice: Dice) -> Option[Any]:
        position = strategy.reopened(knowledge.imagine(dice), seat)
        options = strategy.options(position, seat, dice)
        worth = strategy.worth(position, seat, options) if len(options) > 1 else [0.0]
        ranked = sorted(range(len(options)), key=lambda place: -worth[place])
        while len(ranked) > 1 and dice.below(100) < self.mistakes:
            ranked.pop(0)
        return options[ranked[0]]


class Searching:
    """Plays out many possible positions until one move is clearly best or the budget is used up."""

    def decide(
        self,
        engine: AnyEngine,
        state: Any,
        seat: int,
        dice: Dice,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        clock: Clock = time.perf_counter,
    ) -> Any:
        if iterations is None and seconds is None:
            seconds = SECONDS
        end = None if seconds is None else clock() + seconds

        def lasts(worlds: int) -> bool:
            return (iterations is None or worlds < iterations) and (end is None or clock() < end)

        search = Search(engine, engine.strategy or Playouts(engine), Knowledge(engine, state, seat), seat, dice)
        return search.best_move(lasts)


PLAYERS: Mapping[str, Player] = {
    "easy": OneMoveAhead("easy", MISTAKE),
    "normal": OneMoveAhead("normal"),
    "hard": Searching(),
}
LEVELS = tuple(PLAYERS)


def player(level: str) -> Player:
    if level not in PLAYERS:
        raise UnknownLevel(
            "unknown_level",
            f"There is no level called '{level[:40]}'.",
            f"Choose one of: {', '.join(LEVELS)}.",
            allowed=list(LEVELS),
        )
    return PLAYERS[level]
