"""Kill the stream process and clients while matches run, and check that nothing was lost or repeated.

python -m tests.acceptance.stream --kills 1000 --matches 50
"""

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from bench.scratch import SERVER, database
from core.rates import Rate

STREAM_SHARE = 0.25
"""The share of kills that hit the stream process. Each of these kills ends all streams."""
ENOUGH_SECONDS = 120
WITHOUT_LIMIT = Rate(1_000_000, 60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between kills")
    parser.add_argument("--minutes", type=float, default=15, help="stop killing after this many minutes")
    parser.add_argument("--database", choices=["postgresql", "sqlite"], default="postgresql")
    parser.add_argument("--server", default=SERVER, help="the PostgreSQL server")
    wanted = parser.parse_args()
    with database(wanted.database, wanted.server), tempfile.TemporaryDirectory() as folder:
        settings.RATES = dict.fromkeys(settings.RATES, WITHOUT_LIMIT)
        os.environ["TURNPOST_RATES"] = ", ".join(f"{name}=1000000/minute" for name in settings.RATES)
        return run(wanted, Path(folder))


def run(wanted: argparse.Namespace, folder: Path) -> int:
    from demo.ports import free_port
    from tests.acceptance.stream import parts

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.acceptance.stream.parts"])
    port, names = free_port(), [name for n in range(wanted.matches) for name in parts.names_of(n)]
    followed = names[: wanted.clients]
    tokens = {name: parts.make_token(name) for name in followed}
    with Play(context, parts.play, wanted.matches) as play:
        stream = Part(context, parts.serve_streams, port)
        clients = {
            name: Part(context, parts.record, f"http://127.0.0.1:{port}", token, str(folder / name))
            for name, token in tokens.items()
        }
        try:
            killed = kill(wanted, stream, list(clients.values()))
            play.stop()
            return report(killed, folder, followed)
        finally:
            for part in (stream, *clients.values()):
                part.kill()


class Part:
    """A process that is restarted after it was killed."""

    def __init__(self, context: Any, work: Callable[..., None], *arguments: Any) -> None:
        self._start = lambda: context.Process(target=work, args=arguments, daemon=True)
        self.start()

    def start(self) -> None:
        self._process = self._start()
        self._process.start()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def restart(self) -> None:
        self.kill()
        self.start()


class Play:
    """The process that plays until it is asked to stop."""

    def __init__(self, context: Any, work: Callable[..., None], matches: int) -> None:
        self._stopping = context.Event()
        self._process = context.Process(target=work, args=(matches, self._stopping), daemon=True)

    def __enter__(self) -> "Play":
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()

    def stop(self) -> None:
        self._stopping.set()
        self._process.join(60)
        assert self._process.exitcode == 0, "The process that plays has failed."


def kill(wanted: argparse.Namespace, stream: Part, clients: list[Part]) -> dict[str, int]:
    """Kill one part after another, and return the number of kills of each kind."""
    killed, end = {"stream process": 0, "clients": 0}, time.monotonic() + 60 * wanted.minutes
    while sum(killed.values()) < wanted.kills and time.monotonic() < end:
        time.sleep(random.uniform(0, 2 * wanted.pause))
        is_stream = random.random() < STREAM_SHARE
        (stream if is_stream else random.choice(clients)).restart()
        killed["stream process" if is_stream else "clients"] += 1
    return killed


def report(killed: dict[str, int], folder: Path, followed: list[str]) -> int:
    from stream import store
    from stream.cursors import cursor_of
    from stream.models import StreamEvent
    from tests.acceptance.stream.parts import events_in
    from tests.waiting import until

    store.number_new()
    lost = repeated = total = 0
    in_order = True
    for name in followed:
        written = [cursor_of(one) for one in StreamEvent.objects.filter(user__username=name).order_by("number")]
        until(lambda name=name, last=written[-1:]: has_arrived(folder / name, last), ENOUGH_SECONDS)  # type: ignore[misc]
        found = differences(written, [event.cursor for event in events_in(folder / name)])
        total, lost, repeated = total + len(written), lost + found.lost, repeated + found.repeated
        in_order = in_order and found.in_order
    print(f"events of {len(followed)} users: {total:,}; lost: {lost}; repeated: {repeated}; in order: {in_order}")
    print("killed: " + ", ".join(f"{count} x {part}" for part, count in killed.items()))
    return 0 if total and in_order and not (lost or repeated) else 1


class Differences(NamedTuple):
    lost: int
    repeated: int
    in_order: bool


def differences(written: list[str], received: list[str]) -> Differences:
    """Compare the cursors that a client received with those in the database."""
    expected = [cursor for cursor in written if cursor in set(received)]
    distinct = list(dict.fromkeys(received))
    return Differences(len(set(written) - set(received)), len(received) - len(distinct), distinct == expected)


def has_arrived(path: Path, last: list[str]) -> bool:
    from tests.acceptance.stream.parts import events_in

    return [event.cursor for event in events_in(path)[-1:]] == last


if __name__ == "__main__":
    sys.exit(main())
