"""Look up facts about this machine: installed packages, time zone and environment variables."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

SERVICE_PREFIXES = ("TURNPOST_", "INBOUND_", "DJANGO_")
SERVICE_NAMES = ("DATABASE_URL", "BROKER_URL", "EMAIL_URL")
CLIENT = "turnpost"
LOCALTIME_LINK = Path("/etc/localtime")
TIME_ZONE_FILE = Path("/etc/timezone")
ZONE_FOLDER = "zoneinfo/"


def server_installed() -> bool:
    """Return whether a server can run here, which the demo needs. The client alone works without Django."""
    return importlib.util.find_spec("django") is not None


def client_command() -> str:
    """Return the command that starts this client.

    It is the client's name if that is on PATH, otherwise the path the user typed.
    """
    typed = sys.argv[0]
    return typed if Path(typed).name == CLIENT and not shutil.which(CLIENT) else CLIENT


def clean_environment() -> dict[str, str]:
    """Return the environment without Turnpost settings, for processes that must not touch a real service or account."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(SERVICE_PREFIXES) and name not in SERVICE_NAMES
    }


def local_time_zone() -> str:
    """Return an IANA name such as Europe/Berlin. If the time zone is unknown, as on Windows, return an empty string."""
    from_environment = os.environ.get("TZ", "").removeprefix(":")
    from_link = str(LOCALTIME_LINK.resolve()) if LOCALTIME_LINK.is_symlink() else ""
    for written in (from_environment, from_link, read_time_zone_file()):
        name = written.rpartition(ZONE_FOLDER)[2]
        if name and is_time_zone(name):
            return name
    return ""


def read_time_zone_file() -> str:
    """Read the time zone from a file.

    Some systems copy the time zone data instead of linking to it, and store its name in this file.
    """
    try:
        return TIME_ZONE_FILE.read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""


def is_time_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
