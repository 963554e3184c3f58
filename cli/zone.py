"""Where the player lives, as far as the machine knows."""

import os
from pathlib import Path

LINK = Path("/etc/localtime")
ZONES = "zoneinfo/"


def local_time_zone() -> str:
    """An IANA name such as Europe/Berlin; UTC if the machine does not say."""
    wished = os.environ.get("TZ", "").removeprefix(":")
    for written in (wished, str(LINK.resolve()) if LINK.is_symlink() else ""):
        name = written.rpartition(ZONES)[2]
        if name and is_zone(name):
            return name
    return "UTC"


def is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
