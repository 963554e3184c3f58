"""The difficulty levels, which differ in how far a bot thinks ahead."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.bots.knowledge import Knowledge
from games.bots.playouts import Playouts
from games.bots.search import Lasts, Search
from games.engine.dice import Dice
from games.engine.errors import EngineError
from games.engine.registry import AnyEngine
from games.engine.strategy import Option, Strategy

Clock = Callable[[], float]

SECONDS = 1.5
"""How long a hard bot thinks about a move by default, in seconds."""
MISTAKE = 25
"""The chance, in percent, that an easy bot picks one of the promising moves at random. Picking the second-best one
instead hardly weakened it in Colorado County."""
PLAYOUTS = {"easy": 6, "normal": 40}
"""How many worlds each level tries in a game that has no strategy."""


class UnknownLevel(EngineError):
    pass


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
    """Picks the move with the best immediate result, or sometimes a random one."""

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
            lasts = budget(PLAYOUTS[self.level], seconds, clock)
            return Search(engine, Playouts(engine), knowledge, seat, dice).best_move(lasts)
        return self.choice(strategy, knowledge, seat, dice).move

    def choice(self, strategy: Strategy[Any, Any], knowledge: Knowledge, seat: int, dice: Dice) -> Option[Any]:
        position = strategy.reopened(knowledge.imagine(dice), seat)
        options = strategy.options(position, seat, dice)
        if len(options) == 1:
            return options[0]
        if dice.below(100) < self.mistakes:
            return options[dice.below(len(options))]
        worth = strategy.worth(position, seat, options)
        return options[worth.index(max(worth))]


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
        lasts = budget(iterations, seconds, clock)
        search = Search(engine, engine.strategy or Playouts(engine), Knowledge(engine, state, seat), seat, dice)
        return search.best_move(lasts)


def budget(worlds: int | None, seconds: float | None, clock: Clock) -> Lasts:
    """Limit a search by the number of worlds, by time from now on, or by both."""
    end = None if seconds is None else clock() + seconds
    return lambda tried: (worlds is None or tried < worlds) and (end is None or clock() < end)


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
