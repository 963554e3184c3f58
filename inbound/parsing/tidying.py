"""Lines that are safe to show and to read: short, few, and without signs that nobody sees."""

from collections.abc import Iterable
from itertools import islice
from unicodedata import category

MOST_LINES = 40
MOST_RESTS = 2000
LONGEST_LINE = 2100
"""A little more than table talk may hold, so that too long a message is refused in words and not cut."""
JOINERS = "\u200c\u200d"
SPACES = {"Zs", "Zl", "Zp", "Cc"}
UNSEEN = {"Cf", "Co", "Cs", "Cn"}


def tidy(lines: Iterable[str], most: int = MOST_LINES) -> tuple[str, ...]:
    tidied = (" ".join(clean(line[: 2 * LONGEST_LINE]).split())[:LONGEST_LINE].strip() for line in lines)
    return tuple(islice((line for line in tidied if line.strip(JOINERS)), most))


def clean(line: str) -> str:
    return "".join(map(visible, line))


def visible(sign: str) -> str:
    """Spaces of all kinds become plain ones; marks that turn the reading direction, and the like, go."""
    kind = category(sign)
    if kind in SPACES:
        return " "
    return "" if kind in UNSEEN and sign not in JOINERS else sign
