"""Compare moves with an earlier version: the web server's CPU time with PostgreSQL, and the response time with SQLite.

The earlier version is extracted from the repository's history and run with the same Python packages. Both versions
serve their own database at the same time, and are measured alternately.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

BEFORE = "10e44d8096b2acca6eea5f3bdaf72a82e9a18c43"
ROOT = Path(__file__).resolve().parent.parent
ROUNDS, SECONDS = 4, 3.0
CALLERS = {"postgresql": 8, "sqlite": 1}
MATCHES_EACH = {"postgresql": 3, "sqlite": 12}
"""How many matches one caller can finish in a round."""
TARGETS = (
    ("postgresql", "8 callers, the web server's CPU time per move", 0.48),
    ("sqlite", "1 caller, p50 of a move", 0.7),
)
CHILD = 'import runpy, sys; runpy.run_path(sys.argv[1], run_name="earlier")["serve"](sys.argv[2], sys.argv[3:])'
"""Runs this file's `serve` with the packages of the current folder, which may be the earlier version."""


class NoHistoryError(Exception):
    """Raised if the earlier version isn't in the repository."""


@dataclass
class Version:
    """A running version, and what has been measured so far."""

    process: "subprocess.Popen[str]"
    server: int
    """The process ID of the web server."""
    milliseconds: list[float] = field(default_factory=list)
    cpu: float = 0

    @property
    def cpu_per_move(self) -> float:
        return 1000 * self.cpu / len(self.milliseconds)


def report() -> Iterator[str]:
    from bench.document import target_line
    from bench.scratch import NoServerError

    yield f"before: moves compared with commit {BEFORE[:7]}; {ROUNDS} alternating rounds of {SECONDS:g} s"
    try:
        with tempfile.TemporaryDirectory() as folder:
            trees = [extracted(BEFORE, Path(folder)), ROOT]
            yield f"{'':<56}{'before':>9}{'now':>9}{'ratio':>8}"
            for kind, what, most in TARGETS:
                before, now = (figure(kind, version) for version in in_turns(kind, trees))
                yield f"{f'{kind}, {what}':<56}{before:>6.2f} ms{now:>6.2f} ms{now / before:>8.2f}"
                asked = f"{kind}, {what}: at most {most} times as much as before"
                yield target_line(asked, f"it took {now / before:.2f} times", now / before <= most)
    except (NoHistoryError, NoServerError) as missing:
        yield f"not measured: {missing}"


def figure(kind: str, version: Version) -> float:
    return version.cpu_per_move if kind == "postgresql" else median(version.milliseconds)


def extracted(commit: str, folder: Path) -> Path:
    """Extract a version into the folder. The repository itself stays as it is."""
    try:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise NoHistoryError(f"commit {commit[:7]} isn't in this copy of the repository") from error
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)
    return folder


def in_turns(kind: str, trees: Sequence[Path]) -> list[Version]:
    """Measure the versions alternately, after a first round that doesn't count."""
    with ExitStack() as stack:
        versions = [stack.enter_context(running(kind, tree)) for tree in trees]
        for version in versions:
            measure(version)
            version.milliseconds, version.cpu = [], 0
        for _ in range(ROUNDS):
            for version in versions:
                measure(version)
        return versions


@contextmanager
def running(kind: str, tree: Path) -> Iterator[Version]:
    """Start a version. It ends when its input is closed."""
    from bench.servers import SERVERS, USUAL

    command = [sys.executable, "-c", CHILD, __file__, kind, *SERVERS[USUAL[kind]]]
    with subprocess.Popen(command, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Version(process, answer(process))


def measure(version: Version) -> None:
    from bench.servers import cpu_seconds

    assert version.process.stdin
    before = cpu_seconds(version.server)
    version.process.stdin.write("measure\n")
    version.process.stdin.flush()
    version.milliseconds += answer(version.process)
    version.cpu += cpu_seconds(version.server) - before


def answer(process: "subprocess.Popen[str]") -> Any:
    assert process.stdout
    return json.loads(process.stdout.readline())


def serve(kind: str, command: Sequence[str]) -> None:
    """Run in either version: serve a new database, and measure moves whenever a line arrives."""
    from bench import scripts
    from bench.scratch import database

    with database(kind), web_server(command) as (pid, port):
        groups = scripts.groups(CALLERS[kind])
        print(pid, flush=True)
        for _ in sys.stdin:
            callers = [
                [
                    request
                    for _ in range(MATCHES_EACH[kind])
                    for request in scripts.requests(group, scripts.new_match(group))
                ]
                for group in groups
            ]
            print(json.dumps(milliseconds(port, callers)), flush=True)


@contextmanager
def web_server(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Serve the current database, and yield the server's process ID and its port."""
    from bench.servers import answers
    from demo.ports import free_port
    from tests.waiting import until

    port = free_port()
    words = [sys.executable, *(word.format(port=port) for word in command)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "bench.web_settings"}
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: answers(port), 60), "The web server did not start."
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def milliseconds(port: int, callers: list[list[bytes]]) -> list[float]:
    from bench.callers import Orders, Results

    orders = msgspec.msgpack.encode(Orders(port, SECONDS, callers))
    done = subprocess.run([sys.executable, "-m", "bench.callers"], input=orders, stdout=subprocess.PIPE, check=True)
    results = msgspec.msgpack.decode(done.stdout, type=Results)
    assert not results.refused, results.refused[0]
    return [1000 * time for time in results.times]
