"""The pace of a match: the time per move, a time bank for slower moves, and how many time-outs are tolerated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

SHORTEST_MOVE_TIME, LONGEST_TIME = timedelta(minutes=1), timedelta(days=60)
MOST_PATIENCE = 20
WRITTEN_TIME = "^([0-9]{1,6})([mhd])$"


@dataclass(frozen=True)
class Pace:
    """The pace of a match. The fields have the same names as on Match."""

    move_time: timedelta
    bank: timedelta = timedelta()
    weekends_off: bool = False
    patience: int = 3
    """The number of time-outs in a row after which a stand-in takes the seat."""


PRESETS = {
    "24h": Pace(timedelta(hours=24), bank=timedelta(days=3)),
    "72h": Pace(timedelta(hours=72), bank=timedelta(days=7)),
    "7d": Pace(timedelta(days=7), bank=timedelta(days=14)),
}
DEFAULT = PRESETS["72h"]
UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def read(raw: Any) -> Pace:
    """Parse a preset, a time per move, or an object with named parts. Raise ValueError with a message for the user."""
    if not isinstance(raw, Mapping):
        return checked(read_move_time(raw))
    unknown = set(raw) - {"move_time", "bank", "weekends_off", "patience"}
    if unknown or "move_time" not in raw:
        raise ValueError("A pace needs move_time. It can also have bank, weekends_off and patience.")
    pace = read_move_time(raw["move_time"])
    return checked(
        replace(
            pace,
            bank=read_time(raw["bank"]) if "bank" in raw else pace.bank,
            weekends_off=raw.get("weekends_off", pace.weekends_off),
            patience=raw.get("patience", pace.patience),
        )
    )


def read_move_time(raw: Any) -> Pace:
    return PRESETS[raw] if isinstance(raw, str) and raw in PRESETS else Pace(read_time(raw))


def read_time(raw: Any) -> timedelta:
    """Parse a duration: a number of seconds, or minutes, hours or days as in 90m, 36h or 5d."""
    match = re.match(WRITTEN_TIME, raw.strip().lower()) if isinstance(raw, str) else None
    if match:
        return int(match[1]) * UNITS[match[2]]
    if type(raw) is int and 0 <= raw <= LONGEST_TIME.total_seconds():
        return timedelta(seconds=raw)
    raise ValueError("Enter a time such as 90m, 24h or 7d, or a number of seconds.")


def checked(pace: Pace) -> Pace:
    if not SHORTEST_MOVE_TIME <= pace.move_time <= LONGEST_TIME:
        raise ValueError("The time for a move must be between one minute and 60 days.")
    if pace.bank > LONGEST_TIME:
        raise ValueError("The time bank can't exceed 60 days.")
    if not isinstance(pace.weekends_off, bool):
        raise ValueError("weekends_off must be true or false.")
    if type(pace.patience) is not int or not 1 <= pace.patience <= MOST_PATIENCE:
        raise ValueError(f"patience must be a number of time-outs from 1 to {MOST_PATIENCE}.")
    return pace
