"""Errors with a code for programs, a message and a hint for people, and data for both."""

from typing import Any


class EngineError(Exception):
    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data


class UnknownGame(EngineError):
    """Raised if there is no game with that name."""


class BadSetup(EngineError):
    """Raised if no match is possible with these options or this number of seats."""


class MalformedMove(EngineError):
    """Raised if the input is not a move of the game in any position."""


class IllegalMove(EngineError):
    """Raised for a valid move that this seat may not make now."""


class UnreadableRecord(EngineError):
    """Raised if this version cannot read a stored state, move or event."""


class NewerRecord(UnreadableRecord):
    """Raised for a record that was stored by a later version."""
