"""The competitor for the benchmark of moves: Coloretto on boardgame.io, with its built-in file storage.

The game, the server and the callers are in bench/peers. A caller sends a move over socket.io and waits for the new
position, which the server sends after storing it. The server writes files without waiting for the disk (no fsync).
If the server stops on its own, it is started again, and the round is repeated.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import msgspec

from bench.callers import Results

FILES = Path(__file__).resolve().parent / "peers"
INSTALL = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"]
LONGEST_INSTALLATION = 300
WARM_UP_SECONDS = 2

Peer = Callable[[int, int, float], Results]
"""A function that takes the number of callers, the matches per caller, and a duration in seconds."""


class NoPeerError(Exception):
    """Raised if boardgame.io can't be installed on this machine."""


@contextmanager
def boardgame_io(seats: int) -> Iterator[Peer]:
    """Serve the game in its own process, and yield a function that makes moves."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        install(folder)
        with ExitStack() as running:
            port = running.enter_context(server(folder))

            def measured(callers: int, matches: int, seconds: float) -> Results:
                return call(folder, port=port, callers=callers, matches=matches, seconds=seconds, seats=seats)

            def measured_despite_a_stop(callers: int, matches: int, seconds: float) -> Results:
                nonlocal port
                try:
                    return measured(callers, matches, seconds)
                except subprocess.CalledProcessError:
                    running.close()
                    port = running.enter_context(server(folder))
                    measured(callers, matches, WARM_UP_SECONDS)
                    return measured(callers, matches, seconds)

            yield measured_despite_a_stop


def install(folder: Path) -> None:
    if not (shutil.which("node") and shutil.which("npm")):
        raise NoPeerError("Node.js is not installed")
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    try:
        subprocess.run(INSTALL, cwd=folder, check=True, capture_output=True, timeout=LONGEST_INSTALLATION)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise NoPeerError("npm can't install boardgame.io here") from error


@contextmanager
def server(folder: Path) -> Iterator[int]:
    from demo.ports import free_port
    from tests.waiting import until

    port = free_port()
    command = ["node", "server.js", str(port), str(folder / "data")]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    try:
        assert until(lambda: answers(port)), "boardgame.io did not start."
        yield port
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/games", timeout=5):
            return True
    except OSError:
        return False


def call(folder: Path, **orders: float) -> Results:
    done = subprocess.run(
        ["node", "callers.js"], cwd=folder, input=json.dumps(orders).encode(), stdout=subprocess.PIPE, check=True
    )
    results = msgspec.json.decode(done.stdout, type=Results)
    assert not results.refused, results.refused[0]
    return results
