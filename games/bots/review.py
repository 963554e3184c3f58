"""Review a decision by searching for better moves, using only what the player could know."""

import time
from collections.abc import Callable
from typing import Any

import msgspec

from games.bots.knowledge import Knowledge
from games.bots.playouts import Playouts
from games.bots.search import FIRST_LOOK, LOOK_EVERY, MOST_ARMS, Arm, Search, without_losers
from games.engine.dice import Dice
from games.engine.registry import AnyEngine
from games.engine.strategy import Option


class Comparison(msgspec.Struct, frozen=True):
    """A player's move and the best move that the search found, with their chances of winning."""

    best: Any
    best_chance: float
    chance: float


def compare(
    engine: AnyEngine,
    state: Any,
    seat: int,
    move: Any,
    dice: Dice,
    *,
    seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> Comparison | None:
    """Compare a move with the alternatives. Return None if there was nothing to decide."""
    search = Search(engine, engine.strategy or Playouts(engine), Knowledge(engine, state, seat), seat, dice)
    end = clock() + seconds
    arms, own = all_arms(search, move)
    if len(arms) == 1:
        return None
    while len(arms) > 1 and search.try_all(arms, lambda worlds: not worlds or clock() < end):
        search.worlds += 1
        if search.worlds >= FIRST_LOOK and search.worlds % LOOK_EVERY == 0:
            left = without_losers(arms)
            arms = left if own in left else [*left, own]
    best = max(arms, key=lambda arm: (arm.mean, arm is own))
    return Comparison(best.option.move, best.mean, own.mean)


def all_arms(search: Search, move: Any) -> tuple[list[Arm], Arm]:
    """Return the moves worth comparing, and the one that the player made."""
    world = search.imagine()
    options = search.strategy.options(world, search.seat, search.dice)
    arms = search.best_first(world, options)[:MOST_ARMS] if len(options) > 1 else [Arm(options[0])]
    own = next((arm for arm in arms if arm.option.move == move), None)
    if own is None:
        own = Arm(Option(move, move))
        arms.append(own)
    return arms, own
