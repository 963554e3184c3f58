"""What can go wrong, in words, with the exit code that scripts go by (docs/cli.md lists them)."""

from typing import Any

USAGE = 2
REFUSED = 3
NEEDS_LOGIN = 4
UNREACHABLE = 5
STALE = 6


class Problem(Exception):
    """Ends a command: a code for programs, a sentence and a hint with the next command for people."""

    exit_code = REFUSED

    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data

    @property
    def body(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "exit_code": self.exit_code,
            "data": self.data,
        }


class Usage(Problem):
    """The order itself cannot be followed."""

    exit_code = USAGE


class Refused(Problem):
    """The server understood, and says no."""

    exit_code = REFUSED


class NeedsLogin(Problem):
    exit_code = NEEDS_LOGIN


class Unreachable(Problem):
    """The server does not answer, or not in its right mind."""

    exit_code = UNREACHABLE


class Stale(Problem):
    """The match has moved on since the player looked."""

    exit_code = STALE
