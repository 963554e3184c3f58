"""Refusals in words: a code for programs, a sentence and a hint for people, data for both."""

from typing import Any


class EngineError(Exception):
    def __init__(self, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data


class UnknownGame(EngineError):
    """There is no game of that name."""


class BadSetup(EngineError):
    """These options, or this number of seats, do not make a match."""


class MalformedMove(EngineError):
    """Not a move of the game in any position."""


class IllegalMove(EngineError):
    """A move of the game, but not now or not by this seat."""


class UnreadableRecord(EngineError):
    """A stored state, move or event that this program cannot read."""


class NewerRecord(UnreadableRecord):
    """One that a later version of this program has stored."""
