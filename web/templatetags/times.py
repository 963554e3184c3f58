from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.template import Library
from django.utils import timezone

from accounts.models import User
from core.times import clock_time, exact, rounded

register = Library()


@register.filter
def time_left(until: datetime) -> str:
    """Format the time left, for example "3 days"."""
    return rounded(until - timezone.now())


@register.filter
def time_since(moment: datetime) -> str:
    return rounded(timezone.now() - moment)


@register.filter
def at(moment: datetime, reader: User | None) -> str:
    """Format a time in the reader's time zone: Tuesday 17 November 2026, 14:05 (Europe/Berlin)."""
    return clock_time(moment, ZoneInfo(reader.time_zone if reader else "UTC"))


@register.filter
def in_full(length: timedelta) -> str:
    return exact(length)
