"""A refusal in words, raised by services: a status for HTTP, a code for programs, a sentence and a hint for people."""

from typing import Any


class Refused(Exception):
    def __init__(self, status: int, code: str, message: str, hint: str = "", **data: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.data = data
