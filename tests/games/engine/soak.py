"""Play many random matches of every setup on all cores, and check the whole contract after every move.

Run it with `python -m tests.games.engine.soak --matches 100000`. If a match breaks the contract, never ends or kills
its process, it is reported with the command that replays it.

Every setup gets about the same number of checks, so setups with short matches and few seats are played more often. Of
100,000 matches, Colorado County with two players gets more than 7,000 in each variant, and classic Coloretto with five
players gets 570. The proportions are the same throughout, so a run can stop early (`--minutes 60`). It then prints
how to continue (`--from`).

Every rule of the contract is checked after every move. If a position has too many possibilities (illegal moves,
imagined positions, ways to fill in a form, boards), a few random ones are tried (`FEW` in setups.py).
"""

import argparse
import gc
import os
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import islice, takewhile
from time import monotonic, process_time
from traceback import format_exception
from typing import NamedTuple

import pytest

from tests.games.engine.attempts import all_off
from tests.games.engine.playing import steps, walk, whole_matches
from tests.games.engine.positions import everyone
from tests.games.engine.rules import rules_for_a_setup
from tests.games.engine.setups import FEW, SETUPS, Setup

FIRST_MATCH = 1_000_000
"""The number of the first match, which is far from the numbers that the test suite uses."""
SECONDS_BETWEEN_REPORTS = 10
MATCHES_AT_ONCE = 4
Print = Callable[[str], None]


class Task(NamedTuple):
    setup: Setup
    number: int
    every: int = 1
    """Slow checks cover only every nth move."""


class Broken(NamedTuple):
    task: Task
    rule: str
    error: str

    def __str__(self) -> str:
        setup, number, every = self.task
        again = f"python -m tests.games.engine.soak --setup {setup} --match {number} --every {every}"
        return f"{self.error}\nBROKEN: {self.rule}\nReplay it with: {again}"


class Result(NamedTuple):
    setup: str
    moves: int
    seconds: float
    """The CPU time that the match took."""
    broken: Broken | None


def check_match(task: Task) -> Result:
    started = process_time()
    gc.disable()  # Collect garbage only after the match.
    match = replace(task.setup, numbers=(task.number,), every=task.every, tries=FEW)
    broken = first_broken_rule(task, match)
    moves = 0 if broken else len(steps(match))
    whole_matches.cache_clear()
    gc.enable()
    return Result(str(task.setup), moves, process_time() - started, broken)


def first_broken_rule(task: Task, match: Setup) -> Broken | None:
    """Return the first contract rule that this match breaks."""
    for rule in rules_for_a_setup():
        try:
            rule(match)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - any error is reported
            return Broken(task, rule.__name__, "".join(format_exception(error)))
    return None


def check_matches(tasks: list[Task]) -> list[Result]:
    return [check_match(task) for task in tasks]


def all_setups() -> list[Setup]:
    return [setup for of_one_game in SETUPS.values() for setup in of_one_game]


def plan_setups(setups: list[Setup], matches: int) -> list[Setup]:
    """Choose a setup for each match, so that at any point, every setup has had about the same number of checks."""
    often = {setup: 1 / workload(setup) for setup in setups}
    total = sum(often.values())
    due = [(0.5 * total / often[setup], place) for place, setup in enumerate(setups)]
    planned = []
    for _ in range(matches):
        when, place = min(due)
        planned.append(setups[place])
        due[place] = (when + total / often[setups[place]], place)
    return planned


def workload(setup: Setup) -> int:
    """Estimate how many checks a match with this setup takes."""
    return sum(1 for _ in walk(setup, FIRST_MATCH)) * len(everyone(setup))


class Soak:
    """Plays the planned matches, reports progress now and then, and prints failures immediately."""

    def __init__(self, planned: list[Task], first: int, tell: Print) -> None:
        self.planned, self.first, self.tell = planned, first, tell
        self.started = self.told = monotonic()
        self.matches: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.broken: list[Broken] = []

    @property
    def number_of_next(self) -> int:
        return self.first + self.matches.total()

    def run(self, processes: int, minutes: float) -> None:
        until = self.started + 60 * minutes
        left = islice(self.planned, self.first, None)
        parts = iter(lambda: list(islice(left, MATCHES_AT_ONCE)), [])
        for results in results_of(takewhile(lambda _: monotonic() < until, parts), processes):
            self.count(results)
        self.report()

    def count(self, results: list[Result]) -> None:
        for result in results:
            self.matches[result.setup] += 1
            self.moves[result.setup] += result.moves
            self.seconds[result.setup] += result.seconds
            if result.broken:
                self.broken.append(result.broken)
                self.tell(str(result.broken))
        if monotonic() - self.told > SECONDS_BETWEEN_REPORTS:
            self.told = monotonic()
            self.show_progress(self.so_far())

    def show_progress(self, text: str) -> None:
        """Show the progress, but only in a terminal."""
        if sys.stderr.isatty():
            sys.stderr.write(f"{text}\n")

    def so_far(self) -> str:
        took = monotonic() - self.started
        played = self.matches.total()
        return (
            f"{self.number_of_next:,} of {len(self.planned):,} matches: {played:,} in {took:,.0f} s "
            f"({played / max(took, 1e-9):,.1f} per second), {self.moves.total():,} moves, {len(self.broken)} broken"
        )

    def report(self) -> None:
        self.tell(f"\n{'setup':34}{'matches':>9}{'moves':>12}{'core seconds':>14}")
        for setup, matches in self.matches.items():
            self.tell(f"{setup:34}{matches:>9,}{self.moves[setup]:>12,}{self.seconds[setup]:>14,.0f}")
        self.tell(f"\n{self.so_far()}")
        if self.number_of_next < len(self.planned):
            self.tell(f"Continue with: --matches {len(self.planned)} --from {self.number_of_next}")


def results_of(parts: Iterable[list[Task]], processes: int) -> Iterator[list[Result]]:
    """Yield the results in order. Only a few parts per process are started in advance."""
    if processes == 1:
        yield from map(check_matches, parts)
        return
    begun: deque[tuple[list[Task], Future[list[Result]]]] = deque()
    with ProcessPoolExecutor(processes) as pool:
        try:
            for part in parts:
                begun.append((part, pool.submit(check_matches, part)))
                if len(begun) > 2 * processes:
                    yield next_result(begun)
            while begun:
                yield next_result(begun)
        except BrokenProcessPool:
            yield [lost(task) for part, _ in begun for task in part]


def next_result(begun: deque[tuple[list[Task], Future[list[Result]]]]) -> list[Result]:
    result = begun[0][1].result()
    begun.popleft()
    return result


def lost(task: Task) -> Result:
    return Result(
        str(task.setup), 0, 0, Broken(task, "this match or one running at the same time killed the process", "")
    )


def setup_named(name: str) -> Setup:
    known = {str(setup): setup for setup in all_setups()}
    if name not in known:
        raise SystemExit(f"There is no setup called '{name}'. Choose one of: {', '.join(known)}.")
    return known[name]


def arguments(given: Iterable[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.games.engine.soak", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=1000, help="number of planned matches")
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of planned matches to skip")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this many minutes and report")
    parser.add_argument("--seed", type=int, default=FIRST_MATCH, help="the number of the first match")
    parser.add_argument("--every", type=int, default=1, help="run slow checks only on every nth move")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--setup", help="only this setup, as named in reports")
    parser.add_argument("--match", type=int, help="only the match with this number")
    return parser.parse_args(list(given))


def plan_from(chosen: argparse.Namespace) -> list[Task]:
    """Create tasks for every setup, or for the chosen one. Each match has its own number."""
    if chosen.match is not None and chosen.setup is None:
        raise SystemExit("--match needs a setup: --setup NAME --match NUMBER.")
    setups = [setup_named(chosen.setup)] if chosen.setup else all_setups()
    first, matches = (chosen.seed, chosen.matches) if chosen.match is None else (chosen.match, 1)
    shares = enumerate(plan_setups(setups, matches), start=first)
    return [Task(setup, number, chosen.every) for number, setup in shares]


def main(given: Iterable[str], tell: Print = print) -> int:
    chosen = arguments(given)
    soak = Soak(plan_from(chosen), chosen.first, tell)
    for slug in SETUPS:
        all_off(slug)
    soak.run(min(chosen.processes, len(soak.planned)), chosen.minutes)
    return 1 if soak.broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
