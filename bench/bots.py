"""Measure how strong the bots are. One bot plays against bots of another kind, in all games and for all player counts.

The results are stored in a committed file, so you can stop a run and continue it later. If a bot has changed in the
meantime, its matches are played again. Thinking time is measured as CPU time.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import combinations, repeat
from math import inf
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from bench import bots_page
from games.bots import LEVELS, player
from games.bots.players import SECONDS as IN_MATCHES
from games.bots.thinker import no_garbage_collection
from games.engine.base import Outcome
from games.engine.dice import Dice
from games.engine.registry import AnyEngine, engine

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results" / "bots.json"
KINDS = ("random", "time-out", *LEVELS)
"""The levels, from weakest to strongest."""
PLAYERS = {"coloretto": (2, 3, 4, 5), "colorado-county": (2, 3, 4)}
MATCHES = 120
GROWTH_MATCHES = 40
SECONDS = 0.2
ITERATIONS = 20
"""The number of iterations used to compute a fingerprint. It is high enough for hard bots to rule out moves."""
GROWTH = (0.1, 0.2, 0.5, 1.0, IN_MATCHES, 2.0)
GROWTH_SEATS = {"coloretto": 3, "colorado-county": 2}

Decide = Callable[[AnyEngine, Any, int, Dice], Any]


@dataclass(frozen=True)
class Pairing:
    """A comparison: one bot of the first kind plays against bots of the second kind."""

    game: str
    seats: int
    first: str
    second: str
    seconds: float = SECONDS
    """How many seconds a hard bot thinks about each move."""

    @property
    def matches(self) -> int:
        """Return how many matches to play. Bots with long thinking times play fewer, because each of their matches
        takes a long time.
        """
        return MATCHES if self.seconds == SECONDS else GROWTH_MATCHES


@dataclass
class Totals:
    """The results of the first bot, summed over all matches of a pairing."""

    matches: int = 0
    won: float = 0.0
    points: int = 0
    others: float = 0.0
    """The mean points of its opponents."""
    moves: int = 0
    cpu: float = 0.0
    """The CPU time for all of its moves, in seconds."""
    longest: float = 0.0
    """The CPU time for its slowest move, in seconds."""

    def add(self, match: "Totals") -> None:
        self.matches += match.matches
        self.won += match.won
        self.points += match.points
        self.others += match.others
        self.moves += match.moves
        self.cpu += match.cpu
        self.longest = max(self.longest, match.longest)


def pairings() -> list[Pairing]:
    """Return all pairings in the order in which they are played. Pairings with a target come first."""
    tables = [(game, seats) for game, counts in PLAYERS.items() for seats in counts]
    with_target = [("normal", "random"), ("hard", "normal")]
    others = [(first, second) for second, first in combinations(KINDS, 2) if (first, second) not in with_target]
    quick, slow = [pair for pair in others if "hard" not in pair], [pair for pair in others if "hard" in pair]
    more_time = [
        Pairing(game, seats, "hard", "normal", seconds)
        for seconds in GROWTH
        if seconds != SECONDS
        for game, seats in GROWTH_SEATS.items()
    ]
    early = [Pairing(*table, *pair) for pair in with_target + quick for table in tables]
    return early + more_time + [Pairing(*table, *pair) for pair in slow for table in tables]


def seed(*parts: object) -> bytes:
    return sha256(" ".join(map(str, parts)).encode()).digest()


def decider(kind: str, *, iterations: int | None = None, seconds: float | None = None) -> Decide:
    if kind == "random":
        return lambda game, state, seat, dice: game.sample(state, seat, dice)
    if kind == "time-out":
        return lambda game, state, seat, _: game.on_timeout(state, seat)
    return partial(player(kind).decide, iterations=iterations, seconds=seconds, clock=process_time)


class Decision(NamedTuple):
    seat: int
    move: Any
    cpu: float


def match(slug: str, deciders: Sequence[Decide], number: int) -> tuple[Outcome, list[Decision]]:
    game, seats = engine(slug), range(len(deciders))
    thoughts = [Dice(seed("bot", number, seat)) for seat in seats]
    deal, turn = seed("match", number), 1
    state = game.new_match(len(seats), game.read_options({}), Dice(deal)).state
    made: list[Decision] = []
    while awaited := game.awaiting(state):
        seat = min(awaited)
        with no_garbage_collection():
            start = process_time()
            move = deciders[seat](game, state, seat, thoughts[seat])
            made.append(Decision(seat, move, process_time() - start))
        played = game.play(state, seat, move, Dice(deal, turn))
        state, turn = played.state, turn + (not played.quiet)
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("If no seat has to move, the match is over.")
    return outcome, made


def play(pairing: Pairing, number: int) -> Totals:
    """Play a match. If a move seems to take longer than its target, play the same match again and take the lower times,
    because on a virtual machine, CPU time can include interruptions. Hard bots would play differently.
    """
    own = number % pairing.seats
    kinds = [pairing.first if seat == own else pairing.second for seat in range(pairing.seats)]
    deciders = [decider(kind, seconds=pairing.seconds) for kind in kinds]
    outcome, made = match(pairing.game, deciders, number)
    spent = times_of(own, made)
    if max(spent) > bots_page.COSTS.get(pairing.first, inf) and "hard" not in kinds:
        empty_caches()
        _, again = match(pairing.game, deciders, number)
        spent = [min(times) for times in zip(spent, times_of(own, again), strict=True)]
    won = 1 / len(outcome.winners) if own in outcome.winners else 0.0
    others = (sum(outcome.points) - outcome.points[own]) / (pairing.seats - 1)
    return Totals(1, won, outcome.points[own], others, len(spent), sum(spent), max(spent))


def times_of(seat: int, made: Sequence[Decision]) -> list[float]:
    return [decision.cpu for decision in made if decision.seat == seat]


def empty_caches() -> None:
    """Forget the positions that the bots have rated, so that rating them again takes as long as the first time."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games."):
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()


def fingerprints(pairing: Pairing) -> str:
    return " ".join(fingerprint(pairing.game, pairing.seats, kind) for kind in (pairing.first, pairing.second))


@cache
def fingerprint(slug: str, seats: int, kind: str) -> str:
    """Identify the way a kind of bot plays, so that results from different versions are never mixed.

    The fingerprint is a hash of the moves in one match against random bots, with a fixed number of iterations.
    """
    tested = decider(kind, iterations=ITERATIONS)
    _, made = match(slug, [tested, *[decider("random")] * (seats - 1)], 0)
    game = engine(slug)
    return sha256("\n".join(game.notation(decision.move) for decision in made).encode()).hexdigest()[:12]


def load(path: Path) -> dict[Pairing, Totals]:
    records = json.loads(path.read_text()) if path.exists() else []
    found = {Pairing(**record["pairing"]): record for record in records}
    return {
        pairing: Totals(**found[pairing]["totals"])
        if pairing in found and found[pairing]["bots"] == fingerprints(pairing)
        else Totals()
        for pairing in pairings()
    }


def save(path: Path, played: dict[Pairing, Totals]) -> None:
    """Save the results with one line per pairing.

    The file is replaced atomically, so an interrupted run never leaves half a file.
    """
    path.parent.mkdir(exist_ok=True, parents=True)
    lines = [
        json.dumps({"bots": fingerprints(pairing), "pairing": asdict(pairing), "totals": asdict(totals)})
        for pairing, totals in played.items()
        if totals.matches
    ]
    written = path.with_suffix(".new")
    written.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    written.replace(path)


def report(path: Path = RESULTS, matches: int | None = None, pool: Executor | None = None) -> Iterator[str]:
    """Play the missing matches of each pairing, one per core, and save after every match."""
    played = load(path)
    with pool or ProcessPoolExecutor() as pool:
        for pairing, totals in played.items():
            numbers = range(totals.matches, matches or pairing.matches)
            for result in pool.map(play, repeat(pairing), numbers):
                totals.add(result)
                save(path, played)
            yield bots_page.line(pairing, totals)
            if numbers:
                bots_page.write(played)
    bots_page.write(played)
