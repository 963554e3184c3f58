"""Moves to try in a position.

Many of them are illegal, because they come from other positions or were slightly changed.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.registry import AnyEngine
from tests.games.engine.playing import steps
from tests.games.engine.positions import ATTEMPTS, Position, once
from tests.games.engine.setups import SETUPS, Setup

FAR_OFF = 57


@lru_cache(maxsize=8)
def moves_of(slug: str) -> list[Any]:
    """Return moves from matches with every setup of the game. Most of them are legal only in some positions."""
    return list(dict.fromkeys(step.move for setup in SETUPS[slug] for step in steps(setup)))


@lru_cache(maxsize=8)
def all_off(slug: str) -> list[list[Any]]:
    """Return all slightly changed versions of each move."""
    engine = SETUPS[slug][0].engine
    return [list(a_little_off(engine, move)) for move in moves_of(slug)]


@once
def attempts(position: Position, seat: int) -> list[Any]:
    return some_moves(position.setup, position.dice(ATTEMPTS + seat))


@once
def refusals(position: Position, seat: int) -> list[IllegalMove | None]:
    return position.refusals(seat, attempts(position, seat))


def forget() -> None:
    """Forget the moves of games that tests register or remove."""
    moves_of.cache_clear()
    all_off.cache_clear()


def some(moves: list[Any], most: int, dice: Dice) -> list[Any]:
    return moves if len(moves) <= most else dice.draw(moves, most)[0]


def some_moves(setup: Setup, dice: Dice) -> list[Any]:
    """Choose some moves. The result may contain duplicates, because avoiding them would be slower."""
    moves, off = moves_of(setup.slug), all_off(setup.slug)
    places = [dice.below(len(moves)) for _ in range(min(len(moves), setup.tries.attempts))]
    near = [other for place in places for other in off[place]]
    return [moves[place] for place in places] + [dice.choice(near) for _ in range(min(len(near), setup.tries.attempts))]


def a_little_off(engine: AnyEngine, move: Any) -> Iterator[Any]:
    """Yield the move with one of its numbers or lists changed, if the result is still a move."""
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
