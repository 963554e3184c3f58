"""The setups that the contract, the golden playthroughs and the benchmarks use.

A new game, edition or option only has to be added here.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.engine.records import Record
from games.engine.registry import AnyEngine, engine
from tests.games.engine.colorado_county import components as colorado_county
from tests.games.engine.coloretto import components as coloretto


class Tries(NamedTuple):
    """How much to try in each position."""

    worlds: int
    """How many positions that look the same to a seat are compared."""
    attempts: int
    """How many moves from other positions are tried, and how many slightly changed ones."""
    fillings: int
    """How many ways to fill in a form are tried."""
    plays: int
    """How many offered moves are played. `refusal` is checked for all of them."""
    drawings: int
    """How many boards are rendered, for seats and spectators with short and long names."""


MANY = Tries(worlds=2, attempts=9, fillings=3, plays=10_000, drawings=12)
FEW = Tries(worlds=1, attempts=1, fillings=1, plays=2, drawings=1)
"""A smaller number of attempts, for runs with very many matches."""


@dataclass(frozen=True)
class Setup:
    slug: str
    seats: int
    variant: str
    options: Record
    matches: int
    """The number of random matches that must reach an outcome."""
    component_counts: Callable[[Any], Mapping[str, int]]
    """A function that counts the components in a position by kind."""
    numbers: tuple[int, ...] = tuple(range(6))
    """The numbers of the matches that are checked closely."""
    every: int = 11
    """Slow checks cover only every nth step."""
    tries: Tries = MANY

    @property
    def engine(self) -> AnyEngine:
        return engine(self.slug)

    def __str__(self) -> str:
        return "-".join(part for part in (self.slug, self.variant, str(self.seats)) if part)


def setups(slug: str, seats: Iterable[int], variant: str = "", *, matches: int = 1000, **options: Any) -> list[Setup]:
    chosen = engine(slug).read_options(options)
    return [Setup(slug, count, variant, chosen, matches, COMPONENTS[slug]) for count in seats]


COMPONENTS: dict[str, Callable[[Any], Mapping[str, int]]] = {
    "colorado-county": colorado_county.component_counts,
    "coloretto": coloretto.component_counts,
}
SETUPS = {
    "colorado-county": [
        *setups("colorado-county", (2, 3, 4)),
        *setups("colorado-county", (2, 3, 4), "one", consolation="one"),
        *setups("colorado-county", (2, 3, 4), "players", flags="players"),
        *setups("colorado-county", (2, 3, 4), "players-one", flags="players", consolation="one"),
    ],
    "coloretto": [
        *setups("coloretto", (3, 4, 5), "classic", edition="classic"),
        *setups("coloretto", (2, 3, 4, 5), "modern", edition="modern"),
        *setups("coloretto", (2, 3, 4, 5), "violet", edition="modern", scoring="violet", matches=200),
        *setups("coloretto", (2,), "modern-match", edition="modern", games=3, matches=100),
        *setups("coloretto", (2,), "modern-eight", edition="modern", games=8, matches=20),
        *setups("coloretto", (3, 5), "modern-double", edition="modern", games=2, matches=20),
        *setups("coloretto", (2, 4), "violet-double", edition="modern", scoring="violet", games=2, matches=20),
        *setups("coloretto", (4,), "classic-single", edition="classic", games=1, matches=20),
    ],
}

ALL = [setup for of_one_game in SETUPS.values() for setup in of_one_game]
