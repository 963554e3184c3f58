"""A TCP proxy between the service and its database, broker or mail server, which can simulate an outage."""

import subprocess
import sys

from demo.ports import free_port
from tests.acceptance.storm.parts import ROOT


class Proxy:
    """Forwards connections to a port on this machine.

    While it is shut, it closes and refuses all connections. While it is frozen, it accepts connections but forwards
    nothing. It runs in its own process, so that the players' threads don't slow it down.
    """

    def __init__(self, host: str, target: int) -> None:
        self.host, self.target = host, target
        self.port = free_port(host)

    def __enter__(self) -> "Proxy":
        command = [
            sys.executable,
            "-m",
            "tests.acceptance.storm.proxy_process",
            self.host,
            str(self.port),
            str(self.target),
        ]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        self.open()
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def open(self) -> None:
        self._tell("open")

    def shut(self) -> None:
        self._tell("shut")

    def freeze(self) -> None:
        self._tell("freeze")

    def thaw(self) -> None:
        self._tell("thaw")

    def _tell(self, word: str) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        self._process.stdout.readline()
