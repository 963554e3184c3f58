"""When a player wants mail: the time zone is theirs."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from accounts.models import NoticeDelivery, User

DAILY_AT = time(8)
"""The hour of the daily digest; within quiet hours it waits for their end."""


def quiet_until(user: User, now: datetime) -> datetime | None:
    """When the quiet hours end that last now; None outside them. They may last over midnight."""
    if user.quiet_from is None or user.quiet_until is None:
        return None
    local = now.astimezone(ZoneInfo(user.time_zone))
    for day in (local.date() - timedelta(days=1), local.date()):
        start = datetime.combine(day, user.quiet_from, local.tzinfo)
        last_day = day + timedelta(days=user.quiet_until <= user.quiet_from)
        end = datetime.combine(last_day, user.quiet_until, local.tzinfo)
        if start.timestamp() <= now.timestamp() < end.timestamp():
            return end
    return None


def digest_time(user: User, now: datetime) -> datetime | None:
    """When the next digest is due; None for those who want none."""
    local = now.astimezone(ZoneInfo(user.time_zone))
    if user.notice_delivery == NoticeDelivery.HOURLY:
        return local.replace(minute=0, second=0, microsecond=0).astimezone(UTC) + timedelta(hours=1)
    if user.notice_delivery == NoticeDelivery.DAILY:
        today = datetime.combine(local.date(), DAILY_AT, local.tzinfo)
        return today if now < today else datetime.combine(local.date() + timedelta(days=1), DAILY_AT, local.tzinfo)
    return None
