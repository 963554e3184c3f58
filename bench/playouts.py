"""Compare the random playouts used in searches with an earlier version of the code, which played them move by move with
events.

Both versions run alternately, each in its own process, from the same opening positions.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from games.engine import dice as dices
from games.engine.registry import AnyEngine, engine

BEFORE = "fbedf42"
TABLES = [("coloretto", seats) for seats in (2, 3, 4, 5)] + [("colorado-county", seats) for seats in (2, 3, 4)]
ROUNDS = 5
SECONDS_PER_ROUND = 0.5
OPENINGS = 40
TARGET = 2
ROOT = Path(__file__).resolve().parent.parent


def report() -> Iterator[str]:
    yield "playouts: random moves to the end of a match on one core, CPU time"
    yield f"{'game':<20}{'before, moves/s':>18}{'now, moves/s':>15}{'times':>8}"
    rates_of: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", before, BEFORE], cwd=ROOT, check=True)
        try:
            for game, seats in TABLES:
                rates = [(rate_in(before, game, seats), rate_in(ROOT, game, seats)) for _ in range(ROUNDS)]
                then, now = median(rate for rate, _ in rates), median(rate for _, rate in rates)
                rates_of.setdefault(game, []).append((then, now))
                yield f"{f'{game} {seats}':<20}{then:>18,.0f}{now:>15,.0f}{now / then:>8.2f}"
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", before], cwd=ROOT, check=True)
    for game, pairs in rates_of.items():
        times = sum(now for _, now in pairs) / sum(then for then, _ in pairs)
        slowest = min(now / then for then, now in pairs)
        result = "met" if times >= TARGET else "MISSED"
        yield f"target for {game}: {TARGET} times as fast; it was {times:.2f}, the slowest {slowest:.2f}: {result}"


def rate_in(tree: Path, game: str, seats: int) -> float:
    """Run this file with the engine in another source tree, and return its result."""
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, {str(tree)!r})\n{CHILD}",
        __file__,
        game,
        str(seats),
    ]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return float(done.stdout)


CHILD = """
import runpy
runpy.run_path(sys.argv[1], run_name="measured")["measure"](sys.argv[2], int(sys.argv[3]))
"""


def measure(slug: str, seats: int) -> None:
    game = engine(slug)
    openings = [
        game.new_match(seats, game.read_options({}), dices.Dice(number.to_bytes(32, "big"))).state
        for number in range(OPENINGS)
    ]
    moves = played = 0
    start = process_time()
    while (spent := process_time() - start) < SECONDS_PER_ROUND:
        opening = openings[played % OPENINGS]
        if hasattr(game, "playout"):
            game.playout(opening, dices.QuickDice(played))
        else:
            moves += move_by_move(game, opening, dices.Dice(played.to_bytes(32, "big")))
        played += 1
    if hasattr(game, "playout"):
        counted = [move_by_move(game, openings[n % OPENINGS], dices.QuickDice(n)) for n in range(min(played, 400))]
        moves = int(sum(counted) / len(counted) * played)
    print(moves / spent)


def move_by_move(game: AnyEngine, state: Any, dice: dices.Dice) -> int:
    """Play to the end the way searches used to, and return the number of moves."""
    moves = 0
    while awaited := game.awaiting(state):
        seat = min(awaited)
        state = game.play(state, seat, game.sample(state, seat, dice), dice).state
        moves += 1
    return moves
