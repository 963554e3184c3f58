"""Measure reads over HTTP: the web server's CPU time per request, and the rate with 8 callers, behind gunicorn with two
processes and PostgreSQL.

The floors read the same rows with hand-written SQL (bench.floors). They run behind the same web server and are
measured alternately.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from statistics import median
from typing import Any

from bench import scripts
from bench.callers import Results
from bench.document import target_line
from bench.http import call, send, trips_of
from bench.scratch import NoServerError, analyse, copy_rows, database
from bench.servers import cpu_seconds, server

CALLERS, MATCHES, OTHERS = 8, 10, 10_000
MOVES_MADE = 12
ROUNDS, SECONDS, WARM_UP_SECONDS = 3, 3, 2
MOST_MILLISECONDS = {"a match": 2, "an unchanged match": 0.6, "my ten matches": 2}
OF_FLOOR = 0.6
MOST_TRIPS = {"an unchanged match": 1}
"""The maximum number of round trips to the database."""
MOST_REQUESTS = 20_000
"""More requests than a caller can send in a round."""


@dataclass(frozen=True)
class Read:
    """A request for each caller, and its counterpart for the floor."""

    name: str
    own: Sequence[bytes]
    floor: Sequence[bytes]


@dataclass
class Figures:
    rate: float
    cpu: float
    """Milliseconds of CPU time per request, in all processes of the web server."""


def report() -> Iterator[str]:
    yield f"reads: {CALLERS} callers, gunicorn, PostgreSQL; the median of {ROUNDS} rounds of {SECONDS} s"
    try:
        with database():
            groups = [(group, [scripts.new_match(group) for _ in range(MATCHES)]) for group in scripts.groups(CALLERS)]
            fill(groups[0][1][0])
            with server("postgresql") as (process, port):
                make_moves(groups, port)
                yield f"{'':<20}{'reads/s':>9}{'CPU ms':>8}{'trips':>7}{'sql/s':>9}{'CPU ms':>8}"
                for read in reads(groups, port):
                    yield from measured(read, port, process.pid)
    except NoServerError as missing:
        yield f"not measured: {missing}"


def fill(match_id: str) -> None:
    """Add matches between other players."""
    from games.selectors.loading import load_match

    table = load_match(match_id)
    copy_rows(table.match, OTHERS, id="'m' || n")
    for seat in table.seats:
        copy_rows(seat, OTHERS, match_id="'m' || n", user_id="NULL", awaited_since="NULL", wake_at="NULL")
    analyse()


def make_moves(groups: list[Any], port: int) -> None:
    """Make some moves in every match, and let the first player of each group look at every match once."""
    prepared = []
    for group, matches in groups:
        moves = [move for match in matches for move in list(scripts.requests(group, match))[:MOVES_MADE]]
        prepared.append([*moves, *(scripts.read(f"/api/v1/matches/{match}", group[0][1]) for match in matches)])
    made = call(port, prepared, seconds=600)
    assert len(made.times) == CALLERS * MATCHES * (MOVES_MADE + 1)


def reads(groups: list[Any], port: int) -> Iterator[Read]:
    looks = [(group[0][1], matches[0]) for group, matches in groups]
    own = [(token, f"/api/v1/matches/{match}") for token, match in looks]
    floor = [(token, f"/read/{match}") for token, match in looks]
    lists = [(token, "/api/v1/matches?which=mine&limit=10") for token, _ in looks]
    yield Read("a match", plain(own), plain(floor))
    yield Read("an unchanged match", unchanged(own, port), unchanged(floor, port))
    yield Read("my ten matches", plain(lists), plain([(token, "/mine") for token, _ in looks]))


def plain(looks: list[tuple[str, str]]) -> list[bytes]:
    return [scripts.read(path, token) for token, path in looks]


def unchanged(looks: list[tuple[str, str]], port: int) -> list[bytes]:
    return [scripts.read(path, token, If_None_Match=tag(path, token, port)) for token, path in looks]


def tag(path: str, token: str, port: int) -> str:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Host": "localhost", "Authorization": f"Bearer {token}"})
    found = connection.getresponse().headers["ETag"]
    connection.close()
    return str(found)


def measured(read: Read, port: int, pid: int) -> Iterator[str]:
    ours, floor = in_turns(read, port, pid)
    trips = round_trips(read.own[0])
    yield f"{read.name:<20}{ours.rate:>9.0f}{ours.cpu:>8.2f}{trips:>7}{floor.rate:>9.0f}{floor.cpu:>8.2f}"
    most, share = MOST_MILLISECONDS[read.name], ours.rate / floor.rate
    yield target_line(f"{read.name}: at most {most} ms of CPU time", f"{ours.cpu:.2f} ms", ours.cpu <= most)
    yield target_line(f"{read.name}: {OF_FLOOR:.0%} of sql", f"reached {share:.0%}", share >= OF_FLOOR)
    if allowed := MOST_TRIPS.get(read.name):
        yield target_line(f"{read.name}: {allowed} round trip to the database", f"{trips}", trips <= allowed)


def round_trips(request: bytes) -> int:
    """Count the round trips in this process. A first request loads things that later requests find in memory."""
    send(request)
    return trips_of(request)


def in_turns(read: Read, port: int, pid: int) -> tuple[Figures, Figures]:
    for requests in (read.own, read.floor):
        one_round(requests, port, pid, WARM_UP_SECONDS)
    rounds = [[one_round(requests, port, pid, SECONDS) for requests in (read.own, read.floor)] for _ in range(ROUNDS)]
    ours, floor = (
        Figures(*(median(each) for each in zip(*of_one, strict=True))) for of_one in zip(*rounds, strict=True)
    )
    return ours, floor


def one_round(requests: Sequence[bytes], port: int, pid: int, seconds: float) -> tuple[float, float]:
    """Return the requests per second, and the CPU time for each in milliseconds."""
    before = cpu_seconds(pid)
    results: Results = call(port, [[request] * MOST_REQUESTS for request in requests], seconds)
    spent = cpu_seconds(pid) - before
    return len(results.times) / results.seconds, 1000 * spent / len(results.times)
