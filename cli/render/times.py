"""Format times from API responses relative to now."""

from datetime import UTC, datetime, timedelta

from core.times import rounded


def parse(written: str) -> datetime:
    time = datetime.fromisoformat(written)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def length(seconds: float) -> str:
    """Format a duration, such as '3 hours'."""
    return rounded(timedelta(seconds=seconds))


def ago(written: str | None) -> str:
    """Format a past time, such as '3 hours ago'."""
    return f"{elapsed(written)} ago" if written else ""


def elapsed(written: str | None) -> str:
    """Format the time that has passed, such as '3 hours'."""
    return rounded(since(written)) if written else ""


def until(written: str | None) -> str:
    """Format a future time, such as 'in 3 hours', or 'overdue'."""
    if not written:
        return ""
    left = -since(written)
    return f"in {rounded(left)}" if left > timedelta() else "overdue"


def since(written: str) -> timedelta:
    return datetime.now(UTC) - parse(written)
