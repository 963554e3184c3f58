"""Run a server for the demo in a separate process, with a temporary folder. The server also chooses the bots' moves."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cli.environment import clean_environment, server_installed
from cli.problems import Unreachable, Usage

STOP_SECONDS = 10
LOG = "server.log"
RATES = "user=100000/minute, address=100000/minute"
"""Limits that are high enough for the demo, which fetches the board after each bot's move."""


class DemoServer:
    """A running demo server. Requests and responses are lines of JSON on its standard input and output."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self.process, self.folder = process, folder
        started = self.read()
        self.url: str = started["url"]
        self.tokens: list[str] = started["tokens"]
        """The tokens of the players."""

    def read(self) -> dict[str, Any]:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            last = (self.folder / LOG).read_text(errors="replace").strip().splitlines()[-1:] or ["no output"]
            raise Unreachable("demo_failed", f"The demo server stopped: {last[0]}.", "Try again: turnpost demo")
        response: dict[str, Any] = json.loads(line)
        return response

    def bot_move(self, match_id: str, seat: int, level: str, seconds: float) -> str:
        """Return the move that a bot of this level makes in this seat."""
        request = json.dumps({"match": match_id, "seat": seat, "level": level, "seconds": seconds})
        with suppress(BrokenPipeError):  # In that case, read() reports why the server stopped.
            if self.process.stdin:
                self.process.stdin.write(f"{request}\n")
                self.process.stdin.flush()
        return str(self.read()["move"])


@contextmanager
def demo_server(players: list[str]) -> Iterator[DemoServer]:
    if not server_installed():
        raise Usage(
            "no_server_part",
            "The demo needs the Turnpost server, which isn't installed.",
            "Install it from the source folder: pip install '.[server]'",
        )
    with TemporaryDirectory(prefix="turnpost-demo-") as folder, start_process(players, folder) as process:
        try:
            yield DemoServer(process, Path(folder))
        finally:
            stop_process(process)


def start_process(players: list[str], folder: str) -> "subprocess.Popen[str]":
    """Start the server. Errors go to a file, because an unread pipe would fill up and block the server."""
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "TURNPOST_DATA": folder, "TURNPOST_RATES": RATES}
    with (Path(folder) / LOG).open("w") as log:
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "django", "demo", *players],
            env={**clean_environment(), **settings},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )


def stop_process(process: "subprocess.Popen[str]") -> None:
    """Stop the server by closing its standard input."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
