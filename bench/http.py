"""Measure moves over HTTP with many concurrent callers, from the request to the response after the commit.

Each figure is compared with two floors (bench.floors), which run behind the same web server and are measured
alternately. The floors authenticate the caller and do the same reads and writes without the rules, one through the ORM
and one in hand-written SQL, one statement after another. With PostgreSQL and 8 callers, moves are also compared with a
peer, boardgame.io (bench.boardgame_io).
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http import HTTPStatus
from statistics import median
from typing import Any

import msgspec

from bench import scripts
from bench.boardgame_io import NoPeerError, Peer, boardgame_io
from bench.callers import Orders, Results
from bench.document import target_line
from bench.processes import output, stop_cleanly
from bench.scratch import NoServerError, analyse, copy_rows, database
from bench.servers import chosen, memory, server


def numbers(name: str, usual: str) -> tuple[int, ...]:
    """Read a list of numbers from an environment variable, which allows shorter runs."""
    return tuple(int(number) for number in os.environ.get(name, usual).split(","))


DATABASES = {"postgresql": "1,8,32", "sqlite": "1,8"}
"""The numbers of callers with each database. The embedded service has eight threads, and SQLite writes for one of them
at a time, so more callers would only wait in a queue."""
CALLERS = {kind: numbers("BENCH_CALLERS", usual) for kind, usual in DATABASES.items()}
SIZES = numbers("BENCH_SIZES", "1000,100000")
[ROUNDS] = numbers("BENCH_ROUNDS", "3")
[SECONDS] = numbers("BENCH_SECONDS", "2")
WARM_UP_SECONDS = 2
MATCHES_EACH = {1: 8, 8: 3, 32: 1}
"""How many matches one caller can finish in a round."""
ORM_TARGET, SQL_TARGET, SIZE_TARGET = 1.0, 0.6, 0.9
BUSY, BUSY_SQL_TARGET, PEER_TARGET, TAIL_TARGET = 8, 0.9, 0.9, 5
"""The number of callers that have the strictest targets, and those targets. With PostgreSQL, two processes serve these
callers."""
MOST_TRIPS = 3


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
    yield f"http: moves over HTTP; the median of {ROUNDS} rounds of {SECONDS:g} s, alternating with the floors"
    yield f"before the first round with a server, everything runs for {WARM_UP_SECONDS} s without being measured"
    for kind in DATABASES:
        yield from output([sys.executable, "-m", "bench.http", kind])


def figures(kind: str) -> Iterator[str]:
    try:
        with database(kind), ExitStack() as stack:
            yield f"{kind} behind {chosen(kind)}"
            groups, peer = scripts.groups(max(CALLERS[kind])), None
            if kind == "postgresql":
                yield from round_trips(groups[0])
                try:
                    peer = stack.enter_context(boardgame_io(scripts.SEATS))
                except NoPeerError as missing:
                    yield f"peer: not measured, because {missing}"
            yield from header(has_peer=peer is not None)
            yield from at_each_size(kind, groups, peer)
    except NoServerError as missing:
        yield f"not measured: {missing}"


def header(*, has_peer: bool) -> Iterator[str]:
    """Name the columns, and say which servers wait until a move is on the disk."""
    names = f"{'matches':<12}{'callers':>8}{'moves/s':>9}{'p50':>8}{'p99 ms':>8}{'orm/s':>8}{'sql/s':>8}"
    yield names + f"{'boardgame.io/s':>16}" * has_peer
    yield f"{'waits for the disk':<20}{'yes':>9}{'':>16}{'yes':>8}{'yes':>8}" + f"{'no':>16}" * has_peer


def round_trips(group: list[Any]) -> Iterator[str]:
    """Count the round trips to the database in this process."""
    from django.conf import settings

    settings.ROOT_URLCONF = "bench.floors"
    token, counts = group[0][1], {}
    for name in ("own", "orm", "sql"):
        match_id = scripts.new_match(group)
        requests = scripts.requests(group, match_id) if name == "own" else iter(floor_moves(name, token, match_id))
        send(next(requests))  # The first request also loads things that later requests find in memory.
        counts[name] = trips_of(next(requests))
    yield f"round trips to the database per move: {counts['own']}; orm {counts['orm']}, sql {counts['sql']}"
    asked = f"postgresql: at most {MOST_TRIPS} round trips to the database per move"
    yield target_line(asked, f"{counts['own']}", counts["own"] <= MOST_TRIPS)


def trips_of(request: bytes) -> int:
    """Send a request in this process, and count its round trips to the database."""
    from tests.databases import counted_round_trips

    with counted_round_trips() as trips:
        send(request)
    return trips.count


def send(request: bytes) -> None:
    """Send a prepared request to the application in this process."""
    from django.test import Client

    head, _, body = request.partition(b"\r\n\r\n")
    [first, *lines] = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    answer = Client(SERVER_NAME="localhost").generic(
        first.split()[0], first.split()[1], body, headers.get("Content-Type", ""), headers=headers
    )
    assert answer.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED), answer.content


def at_each_size(kind: str, groups: list[Any], peer: Peer | None) -> Iterator[str]:
    filled, rates = 0, dict[int, list[float]]((count, []) for count in CALLERS[kind])
    for size in SIZES:
        fill(groups[0], size - filled, filled)
        filled = size
        with server(kind) as (process, port):
            measure_round(groups[:BUSY], port, peer, WARM_UP_SECONDS)
            for count in CALLERS[kind]:
                measured = in_turns(groups[:count], port, peer if count == BUSY else None)
                rates[count].append(measured["own"].rate)
                yield line(size, count, measured)
                yield from targets(kind, f"{size:,} matches, {count} caller{'s' * (count > 1)}", count, measured)
            yield f"memory of the web server's processes: {', '.join(f'{one} MiB' for one in memory(process))}"
    if len(SIZES) > 1:
        share = min(rate[-1] / rate[0] for rate in rates.values())
        asked = f"{SIZE_TARGET:.0%} of the rate with {SIZES[0]:,} matches"
        yield f"target for {kind}, {SIZES[-1]:,} matches: {asked}; reached {share:.0%}: {met(share >= SIZE_TARGET)}"


def line(size: int, count: int, measured: dict[str, Figures]) -> str:
    ours = measured["own"]
    own = f"{ours.rate:>9.0f}{ours.slowest(0.5):>8.1f}{ours.slowest(0.01):>8.1f}"
    widths = {"orm": 8, "sql": 8, "peer": 16}
    others = "".join(f"{measured[name].rate:>{width}.0f}" for name, width in widths.items() if name in measured)
    return f"{size:<12,}{count:>8}{own}{others}"


def targets(kind: str, where: str, count: int, measured: dict[str, Figures]) -> Iterator[str]:
    ours = measured["own"]
    is_strict = kind == "postgresql" and count == BUSY
    least = {"orm": ORM_TARGET, "sql": BUSY_SQL_TARGET if is_strict else SQL_TARGET, "peer": PEER_TARGET}
    for name, target in least.items():
        if name in measured:
            share = ours.rate / measured[name].rate
            asked = f"{target:.0%} of {'boardgame.io' if name == 'peer' else name}"
            yield f"target for {kind}, {where}: {asked}; reached {share:.0%}: {met(share >= target)}"
    if count == BUSY:
        tail = f"p99 at most {TAIL_TARGET} times p50; it was {ours.tail:.1f} times"
        yield f"target for {kind}, {where}: {tail}: {met(ours.tail <= TAIL_TARGET)}"


def met(fine: bool) -> str:
    return "met" if fine else "MISSED"


def fill(group: list[Any], more: int, filled: int) -> None:
    """Add matches between other players, so that the indexes are as deep as on a large site."""
    from games.selectors.loading import load_match

    table = load_match(scripts.new_match(group))
    copy_rows(table.match, more, id=f"'m' || (n + {filled})")
    for seat in table.seats:
        copy_rows(seat, more, match_id=f"'m' || (n + {filled})", user_id="NULL", awaited_since="NULL", wake_at="NULL")
    analyse()


def in_turns(groups: list[Any], port: int, peer: Peer | None = None) -> dict[str, Figures]:
    rounds = [measure_round(groups, port, peer, SECONDS) for _ in range(ROUNDS)]
    return {name: Figures.of([results[name] for results in rounds]) for name in rounds[0]}


def measure_round(groups: list[Any], port: int, peer: Peer | None, seconds: float) -> dict[str, Results]:
    """Measure moves, both floors and the peer, one after another."""
    found = {"own": call(port, [own_moves(group, len(groups)) for group in groups], seconds)}
    tables = [(group[0][1], scripts.new_match(group)) for group in groups]
    for floor in ("orm", "sql"):
        found[floor] = call(port, [floor_moves(floor, token, match_id) for token, match_id in tables], seconds)
    if peer:
        found["peer"] = peer(len(groups), MATCHES_EACH.get(len(groups), 3), seconds)
    return found


def own_moves(group: list[Any], callers: int) -> list[bytes]:
    matches = [scripts.new_match(group) for _ in range(MATCHES_EACH.get(callers, 3))]
    return [request for match_id in matches for request in scripts.requests(group, match_id)]


def floor_moves(floor: str, token: str, match_id: str) -> list[bytes]:
    return [scripts.request(f"/{floor}/{match_id}", token, {"move": "draw", "turn": 1})] * 5000


def call(port: int, callers: list[list[bytes]], seconds: float) -> Results:
    orders = msgspec.msgpack.encode(Orders(port, seconds, callers))
    done = subprocess.run([sys.executable, "-m", "bench.callers"], input=orders, stdout=subprocess.PIPE, check=True)
    results = msgspec.msgpack.decode(done.stdout, type=Results)
    assert not results.refused, results.refused[0]
    return results


if __name__ == "__main__":
    stop_cleanly()
    for written in figures(sys.argv[1]):
        print(written, flush=True)
