"""How strong the bots are: matches of one bot of a kind among bots of another, for all games and player counts.

Every match is appended to a file, so a run that was stopped continues where it was. Thinking time is processor time.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

from bench import bots_page
from games.bots import LEVELS, player
from games.engine.dice import Dice
from games.engine.registry import AnyEngine, engine

RESULTS = Path(__file__).resolve().parent.parent / "build" / "bots.jsonl"
KINDS = ("random", "time-out", *LEVELS)
"""From the weakest to the strongest."""
PLAYERS = {"coloretto": (2, 3, 4, 5), "colorado-county": (2, 3, 4)}
MATCHES = 120
SECONDS = 0.2
GROWTH = (0.1, 0.2, 0.5, 1.0, 2.0)
GROWTH_SEATS = {"coloretto": 5, "colorado-county": 4}

Decide = Callable[[AnyEngine, Any, int, Dice], Any]


@dataclass(frozen=True)
class Pairing:
    """One bot of the first kind among bots of the second."""

    game: str
    seats: int
    first: str
    second: str
    seconds: float = SECONDS
    """For each move of a hard bot."""


@dataclass(frozen=True)
class Result:
    """One match, as the bot of the first kind saw it."""

    number: int
    won: float
    points: int
    others: float
    """Mean points of the others."""
    moves: int
    cpu: float
    """Seconds of processor time for these moves."""
    longest: float


def pairings() -> list[Pairing]:
    """Those with a target first, then the rest of the round robin, then what more time is worth."""
    tables = [(game, seats) for game, counts in PLAYERS.items() for seats in counts]
    with_target = [("normal", "random"), ("hard", "normal")]
    others = [(first, second) for second, first in combinations(KINDS, 2) if (first, second) not in with_target]
    robin = [Pairing(*table, *pair) for pairs in (with_target, others) for pair in pairs for table in tables]
    more_time = [
        Pairing(game, seats, "hard", "normal", seconds)
        for game, seats in GROWTH_SEATS.items()
        for seconds in GROWTH
        if seconds != SECONDS
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


def play(pairing: Pairing, number: int) -> Result:
    game, own = engine(pairing.game), number % pairing.seats
    kinds = [pairing.first if seat == own else pairing.second for seat in range(pairing.seats)]
    deciders = [decider(kind, pairing.seconds) for kind in kinds]
    thoughts = [Dice(seed("bot", number, seat)) for seat in range(pairing.seats)]
    deal, turn = seed("match", number), 1
    state = game.new_match(pairing.seats, game.read_options({}), Dice(deal)).state
    spent: list[float] = []
    while awaited := game.awaiting(state):
        seat = min(awaited)
        start = process_time()
        move = deciders[seat](game, state, seat, thoughts[seat])
        if seat == own:
            spent.append(process_time() - start)
        played = game.play(state, seat, move, Dice(deal, turn))
        state, turn = played.state, turn + (not played.quiet)
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError("A match without awaited seats is over.")
    won = 1 / len(outcome.winners) if own in outcome.winners else 0.0
    others = (sum(outcome.points) - outcome.points[own]) / (pairing.seats - 1)
    return Result(number, won, outcome.points[own], others, len(spent), sum(spent), max(spent))


def load(path: Path) -> dict[Pairing, list[Result]]:
    played: dict[Pairing, list[Result]] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        record = json.loads(line)
        played.setdefault(Pairing(**record["pairing"]), []).append(Result(**record["result"]))
    return played


def report(path: Path = RESULTS, matches: int = MATCHES) -> Iterator[str]:
    path.parent.mkdir(exist_ok=True)
    played = load(path)
    for pairing in pairings():
        results = played.setdefault(pairing, [])
        for number in range(len(results), matches):
            results.append(play(pairing, number))
            with path.open("a") as file:
                file.write(json.dumps({"pairing": asdict(pairing), "result": asdict(results[-1])}) + "\n")
        yield bots_page.line(pairing, results)
        bots_page.write(played)
