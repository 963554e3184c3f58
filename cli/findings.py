"""The findings about a proof, grouped by the evidence that they depend on."""

from collections.abc import Sequence
from dataclasses import dataclass

from cli.problems import Refused
from games.engine.text import listing

CONSISTENT, PROVEN, OPERATOR, MISSING = "consistent", "proven", "operator", "missing"
HEADINGS = {
    CONSISTENT: "The proof is consistent:",
    PROVEN: "Proven to you by this client's notes:",
    OPERATOR: "Depends on the operator being honest:",
    MISSING: "Gaps in the proof:",
}


@dataclass(frozen=True)
class Finding:
    grade: str
    text: str
    shows_nobody_chose: bool = False
    """Whether this proves that nobody could choose the cards."""


def numbered(noun: str, numbers: Sequence[int]) -> str:
    """Write a noun with its numbers, such as "seat 1" or "seats 1 and 2"."""
    return f"{noun}{'s' if len(numbers) > 1 else ''} {listing([str(number) for number in numbers])}"


def invalid_proof(code: str, message: str) -> Refused:
    return Refused(code, f"The proof is invalid. {message}", "Save it and contact the operator: turnpost export ID")
