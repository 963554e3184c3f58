"""Format times the same way in emails, the API, web pages and the command line, which imports this module without
Django."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from core.text import counted

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def clock_time(moment: datetime, zone: "ZoneInfo") -> str:
    """Format a time as "Tuesday 17 November 2026, 14:05 (Europe/Berlin)"."""
    local = moment.astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({zone.key.removeprefix('Etc/')})"


def rounded(length: timedelta) -> str:
    """Round an elapsed or remaining time to a single unit, such as 90 minutes, 36 hours or 10 days."""
    if length < MINUTE:
        return "less than a minute"
    minutes, hours = nearest(length, MINUTE), nearest(length, HOUR)
    if minutes < 120 and minutes != 60:
        return counted(minutes, "minute")
    if hours < 48 and hours != 24:
        return counted(hours, "hour")
    return counted(nearest(length, DAY), "day")


def exact(length: timedelta) -> str:
    """Write out a duration that somebody chose, such as "3 days" or "1 day 12 hours"."""
    minutes, seconds = divmod(round(length.total_seconds()), 60)
    units = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60, "second": seconds}
    return " ".join(counted(count, unit) for unit, count in units.items() if count) or "no time"


def nearest(length: timedelta, unit: timedelta) -> int:
    return (length + unit / 2) // unit
