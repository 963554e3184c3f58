"""Where the player lives, as far as the machine knows."""

import os
from pathlib import Path

LINK = Path("/etc/localtime")
NAME = Path("/etc/timezone")
ZONES = "zoneinfo/"


def local_time_zone() -> str:
    """An IANA name such as Europe/Berlin; empty if the machine does not say, as Windows never does."""
    wished = os.environ.get("TZ", "").removeprefix(":")
    for written in (wished, str(LINK.resolve()) if LINK.is_symlink() else "", named()):
        name = written.rpartition(ZONES)[2]
        if name and is_zone(name):
            return name
    return ""


def named() -> str:
    """What some systems write down beside a copy."""
    try:
        return NAME.read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""


def is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
