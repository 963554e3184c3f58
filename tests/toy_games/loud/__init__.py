"""A variant of Hush whose rules have changed. Since version 2, everybody scores a point in each round."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from games.engine import registry
from games.engine.base import Played
from games.engine.dice import Dice
from tests.toy_games.hush import Hush, Name, State


class Loud(Hush):
    slug = "loud"
    title = "Loud"
    rules_version = 2

    def seal(self, state: State, seat: int, move: Name, dice: Dice) -> Played[State]:
        played = super().seal(state, seat, move, dice)
        if played.quiet:
            return played
        points = tuple(points + 1 for points in played.state.points)
        return played._replace(state=replace(played.state, points=points))


class LoudBefore(Hush):
    slug = "loud"
    title = "Loud"


@contextmanager
def release(*engines: Any) -> Iterator[None]:
    """Register the game as a release would, with the latest engine first."""
    module = ModuleType("loud")
    module.ENGINE, module.EARLIER_ENGINES = engines[0], engines[1:]  # type: ignore[attr-defined]
    games = registry.GAMES | {"loud": registry.Game("loud", Hush.verbs)}
    registry._load.cache_clear()
    with patch.object(registry, "GAMES", games), patch.dict("sys.modules", {"loud": module}):
        yield
    registry._load.cache_clear()
