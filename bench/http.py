"""Measure moves over HTTP with many concurrent callers, from the request to the response after the commit.

Each figure is compared with two floors, in the same run and behind the same web server (bench.floors). They
authenticate the caller and do the same reads and writes without the rules, one through the ORM and one in hand-written
SQL.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import msgspec

from bench import scripts
from bench.callers import Orders, Results
from bench.scratch import NoServerError, analyse, copy_rows, database, stored_bytes
from bench.servers import CHOSEN, memory, server


def numbers(name: str, usual: str) -> tuple[int, ...]:
    """These can be set in the environment, for a shorter run."""
    return tuple(int(number) for number in os.environ.get(name, usual).split(","))


CALLERS = numbers("BENCH_CALLERS", "1,8,32")
SIZES = numbers("BENCH_SIZES", "1000,1000000")
[ROUNDS] = numbers("BENCH_ROUNDS", "3")
[SECONDS] = numbers("BENCH_SECONDS", "3")
MATCHES_EACH = {1: 12, 8: 3, 32: 2}
"""One caller can finish this many matches in a round."""
DATABASES = ("postgresql", "sqlite")
WHOLE_MATCHES = 20
ORM_TARGET, SQL_TARGET, SIZE_TARGET, TAIL_TARGET, TAIL_CALLERS = 1.0, 0.6, 0.9, 5, 8


@dataclass
class Figures:
    """The median rate of all rounds, and the duration of every call in milliseconds."""

    rate: float
    times: list[float]

    @classmethod
    def of(cls, rounds: list[Results]) -> "Figures":
        times = sorted(1000 * time for one in rounds for time in one.times)
        return cls(median(len(one.times) / one.seconds for one in rounds), times)

    def slowest(self, share: float) -> float:
        return self.times[int((1 - share) * (len(self.times) - 1))]

    @property
    def tail(self) -> float:
        return self.slowest(0.01) / self.slowest(0.5)


def report() -> Iterator[str]:
    yield f"http: moves over HTTP behind {CHOSEN}; the median of {ROUNDS} rounds of {SECONDS:g} s, taken in turns"
    for kind in DATABASES:
        done = subprocess.run([sys.executable, "-m", "bench.http", kind], stdout=subprocess.PIPE, text=True)
        yield done.stdout
        if done.returncode:
            yield f"not measured: exit code {done.returncode}"


def figures(kind: str) -> Iterator[str]:
    try:
        with database(kind):
            yield f"{kind:<12}{'callers':>8}{'moves/s':>9}{'p50':>8}{'p99 ms':>8}{'orm/s':>8}{'sql/s':>8}"
            stored = bytes_per_match()
            yield from at_each_size(kind)
            yield f"stored for a match that was played to its end: {stored / 1024:.0f} KiB"
    except NoServerError as missing:
        yield f"not measured: {missing}"


def at_each_size(kind: str) -> Iterator[str]:
    groups, filled = scripts.groups(max(CALLERS)), 0
    rates: dict[int, list[float]] = {count: [] for count in CALLERS}
    for size in SIZES:
        fill(groups[0], size - filled, filled)
        filled = size
        with server() as (process, port):
            for count in CALLERS:
                ours, orm, sql = in_turns(groups[:count], port)
                rates[count].append(ours.rate)
                yield line(size, count, ours, orm, sql)
                yield from targets(
                    f"{kind}, {size:,} matches, {count} caller{'s' * (count > 1)}", count, ours, orm, sql
                )
            yield f"memory of the web server's processes: {', '.join(f'{one} MiB' for one in memory(process))}"
    if len(SIZES) > 1:
        share = min(rate[-1] / rate[0] for rate in rates.values())
        asked = f"{SIZE_TARGET:.0%} of the rate with {SIZES[0]:,} matches"
        yield f"target for {kind}: {asked}; reached {share:.0%}: {met(share >= SIZE_TARGET)}"


def line(size: int, count: int, ours: Figures, orm: Figures, sql: Figures) -> str:
    own = f"{ours.rate:>9.0f}{ours.slowest(0.5):>8.1f}{ours.slowest(0.01):>8.1f}"
    return f"{size:<12,}{count:>8}{own}{orm.rate:>8.0f}{sql.rate:>8.0f}"


def targets(where: str, count: int, ours: Figures, orm: Figures, sql: Figures) -> Iterator[str]:
    for name, share, target in (("orm", ours.rate / orm.rate, ORM_TARGET), ("sql", ours.rate / sql.rate, SQL_TARGET)):
        yield f"target for {where}: {target:.0%} of {name}; reached {share:.0%}: {met(share >= target)}"
    if count == TAIL_CALLERS:
        tail = f"p99 at most {TAIL_TARGET} times p50; it was {ours.tail:.1f} times"
        yield f"target for {where}: {tail}: {met(ours.tail <= TAIL_TARGET)}"


def met(fine: bool) -> str:
    return "met" if fine else "MISSED"


def fill(group: list[Any], more: int, filled: int) -> None:
    """Add other people's matches, so that the indexes are as deep as on a large site."""
    from games.selectors.loading import load_match

    table = load_match(scripts.new_match(group))
    copy_rows(table.match, more, id=f"'m' || (n + {filled})")
    for seat in table.seats:
        copy_rows(seat, more, match_id=f"'m' || (n + {filled})", user_id="NULL", awaited_since="NULL", wake_at="NULL")
    analyse()


def in_turns(groups: list[Any], port: int) -> list[Figures]:
    """Return the results for moves and for the two floors."""
    tables = [(group[0][1], scripts.new_match(group)) for group in groups]
    found: list[list[Results]] = [[], [], []]
    for _ in range(ROUNDS):
        found[0].append(call(port, [own_moves(group, len(groups)) for group in groups]))
        for floor, results in zip(("orm", "sql"), found[1:], strict=True):
            results.append(call(port, [floor_moves(floor, token, match_id) for token, match_id in tables]))
    return [Figures.of(results) for results in found]


def own_moves(group: list[Any], callers: int) -> list[bytes]:
    matches = [scripts.new_match(group) for _ in range(MATCHES_EACH.get(callers, 3))]
    return [request for match_id in matches for request in scripts.requests(group, match_id)]


def floor_moves(floor: str, token: str, match_id: str) -> list[bytes]:
    return [scripts.request(f"/{floor}/{match_id}", token, {"move": "draw", "turn": 1})] * 5000


def call(port: int, callers: list[list[bytes]]) -> Results:
    orders = msgspec.msgpack.encode(Orders(port, SECONDS, callers))
    done = subprocess.run([sys.executable, "-m", "bench.callers"], input=orders, stdout=subprocess.PIPE, check=True)
    results = msgspec.msgpack.decode(done.stdout, type=Results)
    assert not results.refused, results.refused[0]
    return results


def bytes_per_match() -> float:
    from tests.games.builders import play_some, running_match

    before = stored_bytes()
    for _ in range(WHOLE_MATCHES):
        play_some(running_match("coloretto", scripts.SEATS))
    return (stored_bytes() - before) / WHOLE_MATCHES


if __name__ == "__main__":
    for written in figures(sys.argv[1]):
        print(written, flush=True)
