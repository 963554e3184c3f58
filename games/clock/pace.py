"""How fast a match goes: the time for a move, a bank for when that is not enough, and how long absence is borne."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from rest.refusal import Refused

SHORTEST_MOVE_TIME, LONGEST_MOVE_TIME = timedelta(minutes=1), timedelta(days=30)
LARGEST_BANK = timedelta(days=60)
MOST_PATIENCE = 20


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
HINT = f"Write {', '.join(PRESETS)}, another time such as 36h, or {{'move_time': '36h', 'bank': '5d'}}."


def read(raw: str | int | Mapping[str, Any]) -> Pace:
    """A pace as it comes from outside: a preset, a time per move, or all of it by name. Raises Refused."""
    if not isinstance(raw, Mapping):
        return checked(read_move_time(raw))
    unknown = set(raw) - {"move_time", "bank", "weekends_off", "patience"}
    if unknown or "move_time" not in raw:
        raise bad_pace("A pace has a move_time and may have bank, weekends_off and patience.")
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
    written = re.fullmatch(r"(\d{1,6})([mhd])", raw, re.ASCII) if isinstance(raw, str) else None
    if written:
        return int(written[1]) * UNITS[written[2]]
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= LARGEST_BANK.total_seconds():
        return timedelta(seconds=raw)
    raise bad_pace("This is no length of time.")


def checked(pace: Pace) -> Pace:
    if not SHORTEST_MOVE_TIME <= pace.move_time <= LONGEST_MOVE_TIME:
        raise bad_pace("The time for a move lies between one minute and 30 days.")
    if pace.bank > LARGEST_BANK:
        raise bad_pace("A bank holds at most 60 days.")
    if not isinstance(pace.weekends_off, bool):
        raise bad_pace("weekends_off is true or false.")
    if type(pace.patience) is not int or not 1 <= pace.patience <= MOST_PATIENCE:
        raise bad_pace(f"patience is a number of time-outs in a row, from 1 to {MOST_PATIENCE}.")
    return pace


def written(pace: Pace) -> dict[str, int | bool]:
    """A pace as the API shows it; reading it gives the same pace."""
    return {
        "move_time": int(pace.move_time.total_seconds()),
        "bank": int(pace.bank.total_seconds()),
        "weekends_off": pace.weekends_off,
        "patience": pace.patience,
    }


def bad_pace(message: str) -> Refused:
    return Refused(400, "bad_pace", message, HINT, presets=list(PRESETS))
