"""Random matches in great number over every setup, each held to the whole contract after every move, on all cores.

`python -m tests.games.engine.soak --matches 100000` plays them. A match that breaks the contract, never ends or ends
the process that plays it is printed with the command that plays it again.

The matches are shared out so that every setup is looked at about as often, a look being one move seen by one seat or by
a spectator. A setup with short matches and few seats is therefore played more often than one with long matches and
many: of 100,000 matches, Colorado County with two players gets more than 7,000 in each of its variants, classic
Coloretto with five players 570. In any part of the plan they come in about the same proportion, so that a run can stop
before the end (`--minutes 60`); it says with which number another one goes on (`--from`).

After every move each rule of the contract is checked. Of what there are countless possibilities of at a position (moves
to be refused, worlds that a seat cannot tell from the true one, ways to fill in a form, pictures), a few are drawn by
lot, others at each position (`FEW` in setups.py).
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
from tests.games.engine.playing import journeys, steps, walk
from tests.games.engine.positions import everyone
from tests.games.engine.rules import rules_for_a_setup
from tests.games.engine.setups import FEW, SETUPS, Setup

FIRST_MATCH = 1_000_000
"""Far from the matches that the suite plays."""
SECONDS_BETWEEN_REPORTS = 10
MATCHES_AT_ONCE = 4
Print = Callable[[str], None]


class Task(NamedTuple):
    setup: Setup
    number: int
    every: int = 1
    """Checks that take long look at each so-manieth move."""


class Broken(NamedTuple):
    task: Task
    rule: str
    error: str

    def __str__(self) -> str:
        setup, number, every = self.task
        again = f"python -m tests.games.engine.soak --setup {setup} --match {number} --every {every}"
        return f"{self.error}\nBROKEN: {self.rule}\nPlay it again with: {again}"


class Verdict(NamedTuple):
    setup: str
    moves: int
    seconds: float
    """Of one core."""
    broken: Broken | None


def verdict_on(task: Task) -> Verdict:
    started = process_time()
    gc.disable()  # Everything is kept until the match is over.
    match = replace(task.setup, numbers=(task.number,), every=task.every, tries=FEW)
    broken = broken_by(task, match)
    moves = 0 if broken else len(steps(match))
    journeys.cache_clear()
    gc.enable()
    return Verdict(str(task.setup), moves, process_time() - started, broken)


def broken_by(task: Task, match: Setup) -> Broken | None:
    """The first rule of the contract that this match breaks."""
    for rule in rules_for_a_setup():
        try:
            rule(match)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever it is, it is printed
            return Broken(task, rule.__name__, "".join(format_exception(error)))
    return None


def verdicts_on(tasks: list[Task]) -> list[Verdict]:
    return [verdict_on(task) for task in tasks]


def all_setups() -> list[Setup]:
    return [setup for of_one_game in SETUPS.values() for setup in of_one_game]


def shared_out(setups: list[Setup], matches: int) -> list[Setup]:
    """For each match of the plan its setup: every setup in proportion, from the first match on."""
    often = {setup: 1 / looks(setup) for setup in setups}
    total = sum(often.values())
    due = [(0.5 * total / often[setup], place) for place, setup in enumerate(setups)]
    planned = []
    for _ in range(matches):
        when, place = min(due)
        planned.append(setups[place])
        due[place] = (when + total / often[setups[place]], place)
    return planned


def looks(setup: Setup) -> int:
    """About how often a match of this setup is looked at."""
    return sum(1 for _ in walk(setup, FIRST_MATCH)) * len(everyone(setup))


class Soak:
    """Plays the matches of a plan, says now and then how far it is, and prints what is broken as soon as found."""

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
        for verdicts in answers(takewhile(lambda _: monotonic() < until, parts), processes):
            self.count(verdicts)
        self.report()

    def count(self, verdicts: list[Verdict]) -> None:
        for verdict in verdicts:
            self.matches[verdict.setup] += 1
            self.moves[verdict.setup] += verdict.moves
            self.seconds[verdict.setup] += verdict.seconds
            if verdict.broken:
                self.broken.append(verdict.broken)
                self.tell(str(verdict.broken))
        if monotonic() - self.told > SECONDS_BETWEEN_REPORTS:
            self.told = monotonic()
            self.tell(self.so_far())

    def so_far(self) -> str:
        took = monotonic() - self.started
        played = self.matches.total()
        return (
            f"{self.number_of_next:,} of {len(self.planned):,} matches: {played:,} in {took:,.0f} s "
            f"({played / max(took, 1e-9):,.1f} a second), {self.moves.total():,} moves, {len(self.broken)} broken"
        )

    def report(self) -> None:
        self.tell(f"\n{'setup':34}{'matches':>9}{'moves':>12}{'core seconds':>14}")
        for setup, matches in self.matches.items():
            self.tell(f"{setup:34}{matches:>9,}{self.moves[setup]:>12,}{self.seconds[setup]:>14,.0f}")
        self.tell(f"\n{self.so_far()}")
        if self.number_of_next < len(self.planned):
            self.tell(f"Go on with: --matches {len(self.planned)} --from {self.number_of_next}")


def answers(parts: Iterable[list[Task]], processes: int) -> Iterator[list[Verdict]]:
    """In the order of the parts, of which only as many are begun as there are processes to play them."""
    if processes == 1:
        yield from map(verdicts_on, parts)
        return
    begun: deque[tuple[list[Task], Future[list[Verdict]]]] = deque()
    with ProcessPoolExecutor(processes) as pool:
        try:
            for part in parts:
                begun.append((part, pool.submit(verdicts_on, part)))
                if len(begun) > 2 * processes:
                    yield first_answer(begun)
            while begun:
                yield first_answer(begun)
        except BrokenProcessPool:
            yield [unanswered(task) for part, _ in begun for task in part]


def first_answer(begun: deque[tuple[list[Task], Future[list[Verdict]]]]) -> list[Verdict]:
    answer = begun[0][1].result()
    begun.popleft()
    return answer


def unanswered(task: Task) -> Verdict:
    return Verdict(str(task.setup), 0, 0, Broken(task, "this match or one of its time ended the process", ""))


def setup_called(name: str) -> Setup:
    known = {str(setup): setup for setup in all_setups()}
    if name not in known:
        raise SystemExit(f"There is no setup called '{name}'. Choose one of: {', '.join(known)}.")
    return known[name]


def arguments(given: Iterable[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.games.engine.soak", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=1000, help="how many the plan has")
    parser.add_argument("--from", type=int, default=0, dest="first", help="how many of them have been played before")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long, with a report")
    parser.add_argument("--seed", type=int, default=FIRST_MATCH, help="the number of the first match")
    parser.add_argument("--every", type=int, default=1, help="checks that take long look at each so-manieth move")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--setup", help="only this setup, as it is named in a report")
    parser.add_argument("--match", type=int, help="only the match of this number")
    return parser.parse_args(list(given))


def planned_by(chosen: argparse.Namespace) -> list[Task]:
    """Every setup, or the one that is named; each match has a number of its own."""
    if chosen.match is not None and chosen.setup is None:
        raise SystemExit("A match is named by its setup too: --setup NAME --match NUMBER.")
    setups = [setup_called(chosen.setup)] if chosen.setup else all_setups()
    first, matches = (chosen.seed, chosen.matches) if chosen.match is None else (chosen.match, 1)
    shares = enumerate(shared_out(setups, matches), start=first)
    return [Task(setup, number, chosen.every) for number, setup in shares]


def main(given: Iterable[str], tell: Print = print) -> int:
    chosen = arguments(given)
    soak = Soak(planned_by(chosen), chosen.first, tell)
    for slug in SETUPS:
        all_off(slug)
    soak.run(min(chosen.processes, len(soak.planned)), chosen.minutes)
    return 1 if soak.broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
