"""Why a use case says no: a code for programs, a sentence and a hint for people.

The class says what kind of no it is; which HTTP status that becomes is decided in core.problems.
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
    """It makes no sense, whatever the circumstances."""

    kind = "invalid"


class NotAuthenticated(Refused):
    kind = "not_authenticated"


class Forbidden(Refused):
    kind = "forbidden"


class NotFound(Refused):
    """It does not exist, or this user may not know that it does."""

    kind = "not_found"


class Conflict(Refused):
    """It is not possible as things stand now."""

    kind = "conflict"


class KeyReused(Refused):
    """An idempotency key that came with another request before."""

    kind = "key_reused"


class TooMany(Refused):
    """A rate limit; `retry_after` says when to try again, in seconds."""

    kind = "too_many"
