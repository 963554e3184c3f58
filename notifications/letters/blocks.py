"""An email as a list of blocks, which as_text and as_html render."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.board import Board

NO_BREAK = "\u00a0"


def unbroken(typed: str) -> str:
    """Keep a move or a command on one line."""
    return typed.replace(" ", NO_BREAK)


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class EventList:
    """A list of events, each described in one or more lines."""

    title: str
    told: Sequence[str]


@dataclass(frozen=True)
class Picture:
    title: str
    board: Board


@dataclass(frozen=True)
class Offer:
    """A move, the command that plays it, and a link to a page with a button that plays it."""

    notation: str
    command: str
    url: str = ""


@dataclass(frozen=True)
class Offers:
    title: str
    offers: Sequence[Offer]
    hint: str = ""


@dataclass(frozen=True)
class Scores:
    """A table with column headings. The last rows are totals."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Quote:
    """A player's message."""

    author: str
    text: str


@dataclass(frozen=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True)
class Code:
    """A code to type somewhere else."""

    label: str
    code: str


ANSWER_ABOVE = "Write your reply above this line."
"""The first line of emails that can be replied to. In a reply, everything below this line is a quote, no matter what
language the mail program quotes in.
"""

Block = Words | EventList | Picture | Offers | Scores | Quote | Link | Code


@dataclass(frozen=True)
class Letter:
    subject: str
    greeting: str
    blocks: Sequence[Block]
    footer: Sequence[Words | Link] = ()
    above: str = ""
    """A line above the rest of the email."""

    @property
    def preheader(self) -> str:
        """The main point, which mail programs show beside the subject."""
        return next((block.text for block in self.blocks if isinstance(block, Words)), "").replace(NO_BREAK, " ")
