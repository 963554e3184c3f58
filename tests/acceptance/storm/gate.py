"""A door between the parts of a service and what they need, which can be shut as if that were gone."""

import subprocess
import sys

from demo.ports import free_port
from tests.acceptance.storm.parts import ROOT


class Gate:
    """Passes connections on to a port of this machine. While it is shut, nobody gets in and all are thrown out; while
    it is frozen, everybody gets in and nobody hears a word. It is a process of its own: every word between a service
    and its database goes through it, and should not have to wait for the players."""

    def __init__(self, host: str, target: int) -> None:
        self.host, self.target = host, target
        self.port = free_port(host)

    def __enter__(self) -> "Gate":
        command = [
            sys.executable,
            "-m",
            "tests.acceptance.storm.gatekeeper",
            self.host,
            str(self.port),
            str(self.target),
        ]
        pipe = subprocess.PIPE
        self._keeper = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        self.open()
        return self

    def __exit__(self, *error: object) -> None:
        self._keeper.communicate()

    def open(self) -> None:
        self._tell("open")

    def shut(self) -> None:
        self._tell("shut")

    def freeze(self) -> None:
        self._tell("freeze")

    def thaw(self) -> None:
        self._tell("thaw")

    def _tell(self, word: str) -> None:
        assert self._keeper.stdin
        assert self._keeper.stdout
        self._keeper.stdin.write(f"{word}\n")
        self._keeper.stdin.flush()
        self._keeper.stdout.readline()
