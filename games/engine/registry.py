"""Find games by their slug. A game is imported when it is first used.

A game's module has an ENGINE and, if its rules have changed, EARLIER_ENGINES for matches that started with older rules.
"""

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
    """The first words of the game's moves. They are repeated here so that a move can be recognized without importing
    the game."""


GAMES = {
    "colorado-county": Game(
        "games.engine.colorado_county",
        ("bid", "withdraw", "pick", "sell", "interested", "not", "offer", "flags"),
    ),
    "coloretto": Game("games.engine.coloretto", ("draw", "place", "put", "take")),
}


def engine(slug: str, rules: int | None = None) -> AnyEngine:
    """Return a game with the given version of its rules. The default is the latest version."""
    if slug not in GAMES:
        known = sorted(GAMES)
        raise UnknownGame(
            "unknown_game",
            f"There is no game called '{slug}'.",
            f"Choose one of: {', '.join(known)}.",
            allowed=known,
        )
    versions = _load(GAMES[slug].module)
    latest = max(versions)
    if rules is not None and rules not in versions:
        raise UnknownGame(
            "unknown_rules",
            f"{versions[latest].title} has no rules version {rules}.",
            f"The latest is {latest}.",
            allowed=sorted(versions),
        )
    return versions[latest if rules is None else rules]


def engines() -> list[AnyEngine]:
    return [engine(slug) for slug in sorted(GAMES)]


def verbs() -> set[str]:
    """Return the first words of all moves in all games."""
    return {verb for game in GAMES.values() for verb in game.verbs}


@cache
def _load(module: str) -> dict[int, AnyEngine]:
    """Return the engines of a game by rules version."""
    loaded = import_module(module)
    engines: tuple[AnyEngine, ...] = (loaded.ENGINE, *getattr(loaded, "EARLIER_ENGINES", ()))
    return {each.rules_version: each for each in engines}
