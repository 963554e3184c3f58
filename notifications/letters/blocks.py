"""A mail as a list of blocks: its text and its HTML are two ways to write the same blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.board import Board

NO_BREAK = "\u00a0"


def unbroken(typed: str) -> str:
    """A move or a command within a sentence: no line ends inside it."""
    return typed.replace(" ", NO_BREAK)


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Story:
    """What happened, a sentence or a few lines each."""

    title: str
    told: Sequence[str]


@dataclass(frozen=True)
class Picture:
    title: str
    board: Board


@dataclass(frozen=True)
class Offer:
    """A move as one writes it, and the command that plays it."""

    notation: str
    command: str


@dataclass(frozen=True)
class Offers:
    title: str
    offers: Sequence[Offer]
    hint: str = ""


@dataclass(frozen=True)
class Scores:
    """A table: a heading for each column, then a row for each line; the last row sums up."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Quote:
    """What a player said, in their own words."""

    author: str
    text: str


@dataclass(frozen=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True)
class Code:
    """Something to type in elsewhere."""

    label: str
    code: str


ANSWER_ABOVE = "Write your answer above this line."
"""Begins mail that can be answered: whatever stands below it in a reply was quoted, in any language."""

Block = Words | Story | Picture | Offers | Scores | Quote | Link | Code


@dataclass(frozen=True)
class Letter:
    subject: str
    greeting: str
    blocks: Sequence[Block]
    footer: Sequence[Words | Link] = ()
    above: str = ""
    """A line before everything else."""
