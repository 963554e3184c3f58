"""Times as a player reads them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.timezone import localtime


def clock_time(moment: datetime, zone: ZoneInfo) -> str:
    """Tuesday 17 November 2026, 14:05 (Europe/Berlin)"""
    local = localtime(moment, zone)
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({zone.key.removeprefix('Etc/')})"


def span(length: timedelta) -> str:
    """The largest two units: 2 days 3 hours, 45 minutes."""
    minutes = max(round(length.total_seconds() / 60), 0)
    units = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    told = [f"{count} {unit}{'s' * (count != 1)}" for count, unit in units if count]
    return " ".join(told[:2]) or "less than a minute"
