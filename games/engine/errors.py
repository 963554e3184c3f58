"""Refusals with a code for programs, a message and a hint for people, and data for both."""

from typing import Any


class EngineError(Exception):
    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data


class UnknownGame(EngineError):
    """There is no game with that name."""


class BadSetup(EngineError):
    """No match is possible with these options or this number of seats."""


class MalformedMove(EngineError):
    """Not a move of the game in any position."""


class IllegalMove(EngineError):
    """A valid move, but not now or not for this seat."""


class UnreadableRecord(EngineError):
    """A stored state, move or event that this version cannot read."""


class NewerRecord(UnreadableRecord):
    """A record that a later version has stored."""
