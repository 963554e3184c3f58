"""Measure the stream process: memory and CPU time of idle streams, and the time from a commit to the client.

The process runs with PostgreSQL, as in production. Idle streams get heartbeats. The benchmark makes the moves, one
after another, while all the idle streams are open.
"""

import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from bench.scratch import NoServerError, database
from bench.servers import answers, cpu_seconds, resident

if TYPE_CHECKING:
    from accounts.models import User

STREAMS = int(os.environ.get("BENCH_STREAMS", "1000"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "30"))
"""How long to measure the CPU time of idle streams, in seconds. This is enough for two heartbeats."""
MOVES = 300
MATCHES = 10
MOST_MIB, MOST_CPU, MOST_MS = 200, 5, 100


def report() -> Iterator[str]:
    yield f"stream: {STREAMS:,} idle streams in one process, and {MOVES} moves in {MATCHES} matches; PostgreSQL"
    try:
        with database("postgresql"):
            yield from measure()
    except NoServerError as error:
        yield f"not measured: {error}"


def measure() -> Iterator[str]:
    from stream.listening import allow_many_connections

    allow_many_connections()
    tokens = make_users()
    with stream_process() as (process, port), ExitStack() as connections:
        alone = resident(process.pid)
        for token in tokens:
            connections.enter_context(opened(port, token))
        before, began = cpu_seconds(process.pid), time.monotonic()
        threading.Event().wait(SECONDS)
        share = 100 * (cpu_seconds(process.pid) - before) / (time.monotonic() - began)
        memory = resident(process.pid)
        times = sorted(delays(port, connections))
    yield f"{'memory without streams':<40}{alone:>8} MiB"
    yield f"{'memory with idle streams':<40}{memory:>8} MiB"
    yield f"{'one core used by idle streams':<40}{share:>8.1f} %"
    yield f"{'commit to client, median':<40}{median(times):>8.1f} ms"
    yield f"{'commit to client, 95 of 100':<40}{times[int(0.95 * (len(times) - 1))]:>8.1f} ms"
    yield target(f"{STREAMS:,} idle streams: {MOST_MIB} MiB", f"{memory} MiB", memory <= MOST_MIB)
    yield target(f"{STREAMS:,} idle streams: {MOST_CPU}% of a core", f"{share:.1f}%", share <= MOST_CPU)
    yield target(f"commit to client: {MOST_MS} ms", f"median {median(times):.1f} ms", median(times) <= MOST_MS)


def target(asked: str, found: str, is_met: bool) -> str:
    return f"  target: {asked}; {found}: {'met' if is_met else 'MISSED'}"


def make_users() -> list[str]:
    from accounts.models import User

    names = [f"idle{number}" for number in range(STREAMS)]
    User.objects.bulk_create([User(username=name, email=f"{name}@example.org") for name in names])
    users = User.objects.filter(username__startswith="idle")
    return [token_of(user) for user in users]


def token_of(user: "User") -> str:
    from accounts.models import Token

    secret: str = Token.objects.create(user, timedelta(days=1), name="bench")[1]  # type: ignore[no-untyped-call]
    return secret


@contextmanager
def stream_process() -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    from demo.ports import free_port
    from tests.waiting import until

    port = free_port()
    environment = os.environ | {"TURNPOST_RATES": "address=1000000/minute"}
    command = [sys.executable, "manage.py", "stream", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: answers(port), 60), "The stream process did not start."
        yield process, port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def opened(port: int, token: str) -> Iterator[socket.socket]:
    """Open a stream and wait until it is connected."""
    head = f"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head.encode())
        received = b""
        while b"connected" not in received:
            part = connection.recv(4096)
            assert part, received
            received += part
        yield connection


class Arrivals(threading.Thread):
    """Records when each move arrives at a client."""

    def __init__(self, connections: list[socket.socket]) -> None:
        super().__init__(daemon=True)
        self.at: dict[tuple[str, int], float] = {}
        self._selector = selectors.DefaultSelector()
        for connection in connections:
            self._selector.register(connection, selectors.EVENT_READ)
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            for key, _ in self._selector.select(timeout=0.1):
                data, now = key.fileobj.recv(65536), time.perf_counter()  # type: ignore[union-attr]
                for line in data.splitlines():
                    with suppress(msgspec.DecodeError, TypeError, KeyError):
                        event = msgspec.json.decode(line)
                        if event["kind"] == "move_made":
                            self.at.setdefault((event["match"], event["turn"]), now)


def delays(port: int, stack: ExitStack) -> Iterator[float]:
    """Yield the milliseconds from each move's commit to its arrival at a player's client."""
    from tests.games.builders import running_match, sitting
    from tests.waiting import until

    tables = [running_match("coloretto", 2, players=(f"ann{n}", f"ben{n}")) for n in range(MATCHES)]
    secrets = [token_of(sitting(table.seats[0])) for table in tables]
    arrivals = Arrivals([stack.enter_context(opened(port, secret)) for secret in secrets])
    arrivals.start()
    committed = {}
    for number in range(MOVES):
        move, at = timed_move(tables[number % MATCHES].match.id)
        committed[move] = at
    assert until(lambda: committed.keys() <= arrivals.at.keys()), "Some events did not arrive."
    arrivals.is_over = True
    arrivals.join()
    for move, at in committed.items():
        yield 1000 * (arrivals.at[move] - at)


def timed_move(match_id: str) -> tuple[tuple[str, int], float]:
    """Make a move. Return the match with its new turn, and the time right after the commit."""
    from games.selectors.loading import load_match
    from tests.games.builders import awaited, send, sitting

    table = load_match(match_id)
    seat, turn = awaited(table), table.match.turn
    move = table.engine.choices(table.state, seat.drawn).moves[0]
    assert send(match_id, sitting(seat), table.engine.notation(move), turn).status == 200
    return (match_id, turn + 1), time.perf_counter()
