"""All games by slug. Games are imported on first use."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from games.engine.errors import UnknownGame

if TYPE_CHECKING:
    from games.engine.base import Engine

AnyEngine: TypeAlias = "Engine[Any, Any, Any]"


class Game(NamedTuple):
    module: str
    verbs: tuple[str, ...]
    """The engine's verbs, repeated here to recognise a move without importing the game."""


GAMES = {
    "colorado-county": Game(
        "games.engine.colorado_county",
        ("bid", "withdraw", "pick", "sell", "interested", "not", "offer", "flags"),
    ),
    "coloretto": Game("games.engine.coloretto", ("draw", "place", "put", "take")),
}


def engine(slug: str) -> AnyEngine:
    if slug not in GAMES:
        known = sorted(GAMES)
        raise UnknownGame(
            "unknown_game",
            f"There is no game called '{slug}'.",
            f"Choose one of: {', '.join(known)}.",
            allowed=known,
        )
    return _load(GAMES[slug].module)


def engines() -> list[AnyEngine]:
    return [engine(slug) for slug in sorted(GAMES)]


def verbs() -> set[str]:
    """The first words of all moves of all games."""
    return {verb for game in GAMES.values() for verb in game.verbs}


@cache
def _load(module: str) -> AnyEngine:
    loaded: AnyEngine = import_module(module).ENGINE
    return loaded
