"""The embedded server of the demo: a process of its own in a temporary folder, gone when the demo ends."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cli.problems import Unreachable, Usage
from cli.surroundings import has_server_part, own_environment

PATIENCE = 10


class Place(NamedTuple):
    url: str
    tokens: list[str]
    folder: Path


@contextmanager
def embedded_server(players: list[str]) -> Iterator[Place]:
    """A fresh service with a token for each of the players."""
    if not has_server_part():
        raise Usage(
            "no_server_part",
            "The demo runs a small server on this machine, and the server's part is not installed.",
            "Install it, in the folder with Turnpost's source: pip install '.[server]'",
        )
    with TemporaryDirectory(prefix="turnpost-demo-") as folder, open_process(players, folder) as process:
        try:
            yield read_place(process, Path(folder))
        finally:
            stop(process)


def open_process(players: list[str], folder: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "django", "demo", *players],
        env={**own_environment(), "DJANGO_SETTINGS_MODULE": "config.settings", "TURNPOST_DATA": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_place(process: "subprocess.Popen[str]", folder: Path) -> Place:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        _, said = process.communicate(timeout=PATIENCE)
        last = said.strip().splitlines()[-1:] or ["it said nothing"]
        raise Unreachable("demo_failed", f"The demo's server did not start: {last[0]}.", "Try again: turnpost demo")
    place = json.loads(line)
    return Place(place["url"], place["tokens"], folder)


def stop(process: "subprocess.Popen[str]") -> None:
    """It ends by itself when its input does."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
