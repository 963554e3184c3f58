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
    pass


class BadSetup(EngineError):
    """Raised if no match is possible with these options or this number of seats."""


class MalformedMove(EngineError):
    """Raised if the input is not a move of this game in any position."""


class IllegalMove(EngineError):
    """Raised for a valid move that this seat cannot make now."""


class BadOrder(EngineError):
    """Raised for a line that is not a standing order of the game, or that cannot apply in this match."""


class UnreadableRecord(EngineError):
    """Raised if this version cannot read a stored state, move or event."""


class NewerRecord(UnreadableRecord):
    """Raised if a record was stored by a later version."""
