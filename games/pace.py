"""How long a player may take for a move: in seconds, or as people write it (90m, 24h, 7d)."""

import re
from datetime import timedelta

WRITTEN = re.compile(r"([1-9][0-9]{0,4})\s*([mhd])", re.ASCII)
UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
SHORTEST, LONGEST = timedelta(minutes=5), timedelta(days=60)


def read(raw: str | int) -> timedelta:
    """Raises ValueError with a sentence."""
    time = timedelta(seconds=min(raw, 10**9)) if isinstance(raw, int) else read_words(raw)
    if not SHORTEST <= time <= LONGEST:
        raise ValueError("A player has at least 5 minutes and at most 60 days for a move.")
    return time


def read_words(text: str) -> timedelta:
    match = WRITTEN.fullmatch(text.strip().lower())
    if not match:
        raise ValueError("Write a number of seconds, or like 90m, 24h or 7d.")
    return int(match[1]) * UNITS[match[2]]
