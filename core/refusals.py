"""Errors that services raise.

Each has a code for programs, and a message and a hint for people. The class is the kind of refusal, and core.problems
maps it to an HTTP status.
"""

from typing import Any, ClassVar


class Refused(Exception):
    kind: ClassVar[str]

    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data


class Invalid(Refused):
    """The request is invalid, regardless of the service's state."""

    kind = "invalid"


class NotAuthenticated(Refused):
    kind = "not_authenticated"


class Forbidden(Refused):
    kind = "forbidden"


class NotFound(Refused):
    """The object does not exist, or the user is not allowed to know that it exists."""

    kind = "not_found"


class Conflict(Refused):
    """The request is not possible in the current state."""

    kind = "conflict"


class Gone(Refused):
    """The object existed, but has been deleted."""

    kind = "gone"


class KeyReused(Refused):
    """The idempotency key was used for a different request."""

    kind = "key_reused"


class TooMany(Refused):
    """A rate limit was exceeded. `retry_after` is the number of seconds to wait."""

    kind = "too_many"
