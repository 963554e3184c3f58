"""The errors that requests can raise."""

from typing import Any, ClassVar


class Problem(Exception):
    """The base class of all errors.

    It has a code for programs, a message and a hint for people, and details that depend on the code.
    """

    exit_code: ClassVar[int] = 3
    """The exit code of the `turnpost` command for this kind of error."""

    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data

    @property
    def text(self) -> str:
        return f"{self.message} {self.hint}".strip()

    @property
    def body(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "exit_code": self.exit_code,
            "data": self.data,
        }


class Refused(Problem):
    """The server understood the request and refused it."""


class NeedsLogin(Problem):
    """The token is missing, invalid or expired."""

    exit_code = 4


class Unreachable(Problem):
    """The server can't be reached or returned an unexpected response."""

    exit_code = 5


class Stale(Problem):
    """The match has moved on since the player last looked."""

    exit_code = 6
