"""All games by their slug. A game is imported when it is first asked for."""

from functools import cache
from importlib import import_module
from typing import Any

from games.engine.base import Engine
from games.engine.errors import UnknownGame

AnyEngine = Engine[Any, Any, Any]

MODULES = {
    "colorado-county": "games.engine.colorado_county",
    "coloretto": "games.engine.coloretto",
}


def engine(slug: str) -> AnyEngine:
    if slug not in MODULES:
        known = sorted(MODULES)
        raise UnknownGame(
            "unknown_game",
            f"There is no game called '{slug}'.",
            f"Choose one of: {', '.join(known)}.",
            allowed=known,
        )
    return _load(MODULES[slug])


def engines() -> list[AnyEngine]:
    return [engine(slug) for slug in sorted(MODULES)]


@cache
def _load(module: str) -> AnyEngine:
    loaded: AnyEngine = import_module(module).ENGINE
    return loaded
