"""Parse the days and times that players type."""

from datetime import date, datetime, timedelta

RELATIVE_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}


def today() -> date:
    """Return today's date in the player's time zone."""
    return datetime.now().astimezone().date()


def read_day(written: str) -> date:
    """Parse a date like 2026-12-20, or a word like tomorrow. Raise ValueError if it is neither."""
    if written.lower() in RELATIVE_DAYS:
        return today() + timedelta(days=RELATIVE_DAYS[written.lower()])
    return date.fromisoformat(written)


def read_moment(written: str) -> datetime:
    """Parse a time like 2026-12-20T18:00, or a day, which means its start. Raise ValueError for anything else."""
    if written.lower() in RELATIVE_DAYS:
        written = read_day(written).isoformat()
    try:
        return datetime.fromisoformat(written).astimezone()
    except OverflowError as error:
        raise ValueError(written) from error
