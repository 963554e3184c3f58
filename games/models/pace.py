"""How fast a match goes: the time for a move, a bank for when that is not enough, and how long absence is borne."""

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
    """The field names are those of Match."""

    move_time: timedelta
    bank: timedelta = timedelta()
    weekends_off: bool = False
    patience: int = 3
    """How many time-outs in a row until a stand-in takes the seat."""


PRESETS = {
    "24h": Pace(timedelta(hours=24), bank=timedelta(days=3)),
    "72h": Pace(timedelta(hours=72), bank=timedelta(days=7)),
    "7d": Pace(timedelta(days=7), bank=timedelta(days=14)),
}
DEFAULT = PRESETS["72h"]
UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def read(raw: Any) -> Pace:
    """A pace as it comes from outside: a preset, a time per move, or all of it by name. Raises ValueError with a
    sentence."""
    if not isinstance(raw, Mapping):
        return checked(read_move_time(raw))
    unknown = set(raw) - {"move_time", "bank", "weekends_off", "patience"}
    if unknown or "move_time" not in raw:
        raise ValueError("A pace has a move_time and may have bank, weekends_off and patience.")
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
    """Seconds, or a whole number of minutes, hours or days: 90m, 36h, 5d."""
    match = re.match(WRITTEN_TIME, raw.strip().lower()) if isinstance(raw, str) else None
    if match:
        return int(match[1]) * UNITS[match[2]]
    if type(raw) is int and 0 <= raw <= LONGEST_TIME.total_seconds():
        return timedelta(seconds=raw)
    raise ValueError("Write a number of seconds, or like 90m, 24h or 7d.")


def checked(pace: Pace) -> Pace:
    if not SHORTEST_MOVE_TIME <= pace.move_time <= LONGEST_TIME:
        raise ValueError("A player has at least one minute and at most 60 days for a move.")
    if pace.bank > LONGEST_TIME:
        raise ValueError("A bank holds at most 60 days.")
    if not isinstance(pace.weekends_off, bool):
        raise ValueError("weekends_off is true or false.")
    if type(pace.patience) is not int or not 1 <= pace.patience <= MOST_PATIENCE:
        raise ValueError(f"patience is a number of time-outs in a row, from 1 to {MOST_PATIENCE}.")
    return pace
