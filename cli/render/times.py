"""Times as people say them."""

from datetime import UTC, datetime

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def parse(written: str) -> datetime:
    time = datetime.fromisoformat(written)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def span(seconds: float) -> str:
    for size, unit in UNITS:
        count = int(seconds // size)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return "less than a minute"


def ago(written: str | None, now: datetime | None = None) -> str:
    """3 hours ago"""
    return f"{span(seconds_since(written, now))} ago" if written else ""


def elapsed(written: str | None, now: datetime | None = None) -> str:
    """3 hours"""
    return span(seconds_since(written, now)) if written else ""


def until(written: str | None, now: datetime | None = None) -> str:
    """in 3 hours; overdue"""
    if not written:
        return ""
    left = -seconds_since(written, now)
    return f"in {span(left)}" if left > 0 else "overdue"


def seconds_since(written: str, now: datetime | None) -> float:
    return ((now or datetime.now(UTC)) - parse(written)).total_seconds()
