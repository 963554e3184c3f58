"""Small tools for text of a fixed width, and for sentences."""

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, east_asian_width

DRAWN_ON_THE_ONE_BEFORE = {"Mn", "Me", "Cf"}
MATCH_HAS_ENDED = "The match has ended."
"""Where players stopped it before the end that its rules give it."""


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(columns(character) for character in text)


def columns(character: str) -> int:
    if category(character) in DRAWN_ON_THE_ONE_BEFORE:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


@lru_cache(maxsize=512)
def fit(text: str, room: int) -> str:
    """The text in exactly this many columns: padded, or cut with a full stop to show it."""
    kept, end = text, ""
    while width(kept + end) > room:
        kept, end = kept[:-1], "."
    return kept + end + " " * (room - width(kept + end))


def cut(text: str, room: int) -> str:
    """The text in at most this many columns."""
    return fit(text, room).rstrip()


def listing(items: Sequence[str], word: str = "and") -> str:
    """Ann, Ben and Cleo"""
    return f" {word} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def counted(number: int, thing: str) -> str:
    """1 card, 2 cards"""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
