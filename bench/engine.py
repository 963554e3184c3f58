"""Measure how fast the engine plays random matches.

For each move, the engine finds the seats whose turn it is, lists the choices, plays one of them and creates its events.
It does not create views. The floor plays the same game in place, without checks or events.
"""

import platform
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from statistics import median
from time import process_time
from typing import Any

from bench.coloretto_floor import coloretto
from bench.county_floor import colorado_county
from games.engine.dice import Dice
from games.engine.registry import AnyEngine
from tests.games.engine.setups import ALL, Setup

TARGETS = {"coloretto": 60_000, "colorado-county": 15_000}
FLOORS = {"coloretto": coloretto, "colorado-county": colorado_county}
WIDEST = max(len(str(setup)) for setup in ALL)
ROUNDS = 5
SECONDS_PER_ROUND = 0.2

Work = Callable[[], int]
"""Does one piece of work and returns how many units it completed."""


def playout(setup: Setup, numbers: Iterator[int]) -> int:
    """Play one match with random moves and return how many were made."""
    game, number = setup.engine, next(numbers)
    dice = Dice(number.to_bytes(32, "big"))
    state, moves, random = game.new_match(setup.seats, setup.options, dice).state, 0, number
    while awaited := game.awaiting(state):
        random = (random * 75 + 74) % 65537  # Random enough for a benchmark, and fast.
        (seat, *_) = awaited
        state = game.play(state, seat, some_move(game, state, seat, random, dice), dice).state
        moves += 1
    return moves


def some_move(game: AnyEngine, state: Any, seat: int, random: int, dice: Dice) -> Any:
    offered = game.choices(state, seat)
    pick = random % (len(offered.moves) + len(offered.forms))
    if pick < len(offered.moves):
        return offered.moves[pick]
    return game.fill(offered.forms[pick - len(offered.moves)], dice)


def report() -> Iterator[str]:
    yield f"engine: random playouts on one core, Python {platform.python_version()}, CPU time"
    yield f"{'setup':<{WIDEST}}{'matches/s':>11}{'moves/s':>11}{'floor moves/s':>15}{'of floor':>10}"
    slowest: dict[str, float] = {}
    for setup in ALL:
        moves, line = measured(setup)
        slowest[setup.slug] = min(moves, slowest.get(setup.slug, moves))
        yield line
    for slug, target in TARGETS.items():
        result = "met" if slowest[slug] >= target else "MISSED"
        yield f"target for {slug}: {target:,} moves/s; the slowest setup reached {slowest[slug]:,.0f}: {result}"


def measured(setup: Setup) -> tuple[float, str]:
    works = [partial(playout, setup, count())]
    if setup.slug in FLOORS:
        works.append(partial(FLOORS[setup.slug], setup.seats, setup.options, count()))
    (matches, moves), *floor = rates(*works)
    beside = "".join(f"{floor_moves:>15,.0f}{moves / floor_moves:>10.0%}" for _, floor_moves in floor)
    return moves, f"{setup!s:<{WIDEST}}{matches:>11,.0f}{moves:>11,.0f}{beside}"


def rates(*works: Work) -> list[tuple[float, float]]:
    """Return the median rate of each piece of work.

    The pieces run alternately, so that other load on the machine affects all of them.
    """
    rounds = [[rate(work) for work in works] for _ in range(ROUNDS)]
    return [
        (median(pieces for pieces, _ in of_one), median(units for _, units in of_one))
        for of_one in zip(*rounds, strict=True)
    ]


def rate(work: Work) -> tuple[float, float]:
    pieces = units = 0
    start = process_time()
    while (spent := process_time() - start) < SECONDS_PER_ROUND or not pieces:
        units += work()
        pieces += 1
    return pieces / spent, units / spent
