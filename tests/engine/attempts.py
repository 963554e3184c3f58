"""Moves to try, of which many are not legal: some that were made elsewhere, some that are a little off."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from games.engine.dice import Dice
from games.engine.errors import MalformedMove
from games.engine.registry import AnyEngine
from tests.engine.playing import steps
from tests.engine.setups import SETUPS, Setup

AT_ONCE = 9
FAR_OFF = 57


@lru_cache(maxsize=8)
def moves_of(slug: str) -> list[Any]:
    """Moves that were made in any match of the game, whatever its setup: here legal, there not."""
    return list(dict.fromkeys(step.move for setup in SETUPS[slug] for step in steps(setup)))


def some_moves(setup: Setup, dice: Dice) -> list[Any]:
    made = some(moves_of(setup.slug), dice)
    return made + some([off for move in made for off in a_little_off(setup.engine, move)], dice)


def some(moves: list[Any], dice: Dice) -> list[Any]:
    return dice.draw(moves, min(len(moves), AT_ONCE))[0]


def a_little_off(engine: AnyEngine, move: Any) -> Iterator[Any]:
    """The same move with one of its numbers or lists changed, as far as that still is a move."""
    written = msgspec.to_builtins(move)
    for field, value in written.items():
        for other in changed(value) if field != "schema" else ():
            try:
                yield engine.read_move(written | {field: other})
            except MalformedMove:
                continue


def changed(value: Any) -> list[Any]:
    match value:
        case int():
            return [value + 1, 0, FAR_OFF]
        case [first, *rest]:
            return [rest, [first, first, *rest], *([other, *rest] for other in changed(first))]
        case _:
            return []
