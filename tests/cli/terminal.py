"""A terminal with a screen that tests can read as the player sees it."""

import os
import re
import sys
import time

import pexpect
import pyte

from tests.cli.conftest import Machine

PATIENCE = 90
PROGRAM = "from cli.main import app; app(prog_name='turnpost')"
KEYS = {
    "left": "\x1b[D",
    "up": "\x1b[A",
    "tab": "\t",
    "enter": "\r",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
}


def environment(machine: Machine, **more: str) -> dict[str, str]:
    return {
        **{name: value for name, value in machine.environment.items() if name != "COLUMNS"},
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "NO_COLOR": "1",
        **more,
    }


class Terminal:
    """A command that runs in a terminal of this size."""

    def __init__(self, machine: Machine, *words: str, lines: int = 24, columns: int = 80, **more: str) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", PROGRAM, *words],
            env=environment(machine, **more),
            dimensions=(lines, columns),
            timeout=PATIENCE,
        )

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip("\n")

    @property
    def last_line(self) -> str:
        return self.text.rpartition("\n")[2]

    def shows(self, pattern: str) -> str:
        """Read the output until the screen shows this pattern, and return the screen."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text):
            assert time.monotonic() < end, f"The screen doesn't show {pattern!r}:\n{self.text}"
            if not self.read():
                assert re.search(pattern, self.text), f"The command ended without {pattern!r}:\n{self.text}"
        return self.text

    def read(self) -> bool:
        """Read some output, and return whether the command is still running."""
        try:
            output = self.child.read_nonblocking(65536, timeout=0.5)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.output += output
        self.stream.feed(output)
        return True

    def press(self, *keys: str) -> None:
        for key in keys:
            self.child.send(KEYS.get(key, key))

    def resize(self, lines: int, columns: int) -> None:
        self.screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def answer(self, *keys: str) -> None:
        """Press keys and wait until the screen changes."""
        before = self.text
        self.press(*keys)
        while self.text == before and self.read():
            pass

    def ends(self) -> int:
        """Wait until the command ends, and return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < end, f"The command doesn't end:\n{self.text}"
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)
