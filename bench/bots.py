"""Measure how strong the bots are. One bot plays against bots of another kind, in all games and for all player counts.

The results are stored in a committed file, so you can stop a run and continue it later. If a bot has changed since, its
matches are played again. Thinking time is processor time.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from bench import bots_page
from games.bots import LEVELS, player
from games.engine.base import Outcome
from games.engine.dice import Dice
from games.engine.registry import AnyEngine, engine

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results" / "bots.json"
KINDS = ("random", "time-out", *LEVELS)
"""Listed from the weakest to the strongest."""
PLAYERS = {"coloretto": (2, 3, 4, 5), "colorado-county": (2, 3, 4)}
MATCHES = 120
SECONDS = 0.2
ITERATIONS = 20
"""Enough iterations for hard bots to drop moves."""
GROWTH = (0.1, 0.2, 0.5, 1.0, 2.0)
GROWTH_SEATS = {"coloretto": 5, "colorado-county": 4}

Decide = Callable[[AnyEngine, Any, int, Dice], Any]


@dataclass(frozen=True)
class Pairing:
    """One bot of the first kind against bots of the second."""

    game: str
    seats: int
    first: str
    second: str
    seconds: float = SECONDS
    """Thinking time for each move of a hard bot."""


@dataclass
class Tally:
    """The results of the first bot, summed over all matches of a pairing."""

    matches: int = 0
    won: float = 0.0
    points: int = 0
    others: float = 0.0
    """The mean points of the other bots."""
    moves: int = 0
    cpu: float = 0.0
    """The processor time for all its moves, in seconds."""
    longest: float = 0.0
    """The processor time for its slowest move, in seconds."""

    def add(self, match: "Tally") -> None:
        self.matches += match.matches
        self.won += match.won
        self.points += match.points
        self.others += match.others
        self.moves += match.moves
        self.cpu += match.cpu
        self.longest = max(self.longest, match.longest)


def pairings() -> list[Pairing]:
    """Return all pairings in the order in which they are played. Those with a target come first."""
    tables = [(game, seats) for game, counts in PLAYERS.items() for seats in counts]
    with_target = [("normal", "random"), ("hard", "normal")]
    others = [(first, second) for second, first in combinations(KINDS, 2) if (first, second) not in with_target]
    others.sort(key=lambda pair: "hard" in pair)
    robin = [Pairing(*table, *pair) for pair in with_target + others for table in tables]
    more_time = [
        Pairing(game, seats, "hard", "normal", seconds)
        for seconds in GROWTH
        if seconds != SECONDS
        for game, seats in GROWTH_SEATS.items()
    ]
    return robin + more_time


def seed(*parts: object) -> bytes:
    return sha256(" ".join(map(str, parts)).encode()).digest()


def decider(kind: str, seconds: float) -> Decide:
    if kind == "random":
        return lambda game, state, seat, dice: game.sample(state, seat, dice)
    if kind == "time-out":
        return lambda game, state, seat, _: game.on_timeout(state, seat)
    return partial(player(kind).decide, seconds=seconds, clock=process_time)


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
        start = process_time()
        move = deciders[seat](game, state, seat, thoughts[seat])
        made.append(Decision(seat, move, process_time() - start))
        played = game.play(state, seat, move, Dice(deal, turn))
        state, turn = played.state, turn + (not played.quiet)
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("A match without awaited seats is over.")
    return outcome, made


def play(pairing: Pairing, number: int) -> Tally:
    own = number % pairing.seats
    kinds = [pairing.first if seat == own else pairing.second for seat in range(pairing.seats)]
    outcome, made = match(pairing.game, [decider(kind, pairing.seconds) for kind in kinds], number)
    spent = [decision.cpu for decision in made if decision.seat == own]
    won = 1 / len(outcome.winners) if own in outcome.winners else 0.0
    others = (sum(outcome.points) - outcome.points[own]) / (pairing.seats - 1)
    return Tally(1, won, outcome.points[own], others, len(spent), sum(spent), max(spent))


@cache
def fingerprint(slug: str, seats: int) -> str:
    """Identify how the bots play, so that results of different bots are never mixed.

    It is a hash of the moves in one match of all levels with a fixed number of iterations.
    """
    levels = [LEVELS[-1 - seat % len(LEVELS)] for seat in range(seats)]
    deciders: list[Decide] = [partial(player(level).decide, iterations=ITERATIONS) for level in levels]
    _, made = match(slug, deciders, 0)
    game = engine(slug)
    return sha256("\n".join(game.notation(decision.move) for decision in made).encode()).hexdigest()[:12]


def load(path: Path) -> dict[Pairing, Tally]:
    """Return the stored results of the current bots, in the order of the pairings."""
    records = json.loads(path.read_text()) if path.exists() else []
    found = {
        Pairing(**record["pairing"]): Tally(**record["tally"])
        for record in records
        if record["bots"] == fingerprint(record["pairing"]["game"], record["pairing"]["seats"])
    }
    return {pairing: found.get(pairing, Tally()) for pairing in pairings()}


def save(path: Path, played: dict[Pairing, Tally]) -> None:
    """Write a line for each pairing. The file is replaced atomically, so a stopped run never leaves half a file."""
    path.parent.mkdir(exist_ok=True, parents=True)
    lines = [
        json.dumps(
            {"bots": fingerprint(pairing.game, pairing.seats), "pairing": asdict(pairing), "tally": asdict(tally)}
        )
        for pairing, tally in played.items()
        if tally.matches
    ]
    written = path.with_suffix(".new")
    written.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    written.replace(path)


def report(path: Path = RESULTS, matches: int = MATCHES) -> Iterator[str]:
    played = load(path)
    for pairing, tally in played.items():
        for number in range(tally.matches, matches):
            tally.add(play(pairing, number))
            save(path, played)
        yield bots_page.line(pairing, tally)
        bots_page.write(played)
