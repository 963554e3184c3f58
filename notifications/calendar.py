"""Deadlines as calendar entries: one in each email about a turn, and all of them in a private feed.

Every match has a single entry per player, which moves with the deadline. The feed's address contains a signature, so
nobody can guess it. If the user requests a new address, the old one stops working.
"""

import secrets
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare

from accounts.models import User
from core.refusals import NotFound
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches, match_name
from notifications.match_links import match_page

LENGTH = timedelta(minutes=30)
"""How long an entry lasts. It ends at the deadline. Many calendars hide entries without a duration."""
REFRESH = "PT1H"
LONGEST_LINE = 75
"""The maximum number of bytes in a line, according to RFC 5545."""
FILE_NAME = "deadline.ics"
_feeds = signing.Signer(salt="notifications.calendar")


def entry(loaded: LoadedMatch, seat: Seat) -> list[str]:
    """Return the lines of the calendar entry for the seat's deadline, or none if it has no deadline."""
    if seat.deadline is None or seat.user is None or seat.has_stand_in:
        return []
    page = match_page(loaded.match.id)
    summary, described = f"Your move: {match_name(loaded, seat)}", f"Your time for this move ends now.\n{page}"
    return [
        "BEGIN:VEVENT",
        f"UID:deadline-{loaded.match.id}-{seat.user.pk}@{settings.PUBLIC_HOST}",
        f"SEQUENCE:{seat.deadline_changes}",
        f"DTSTAMP:{utc(seat.counted_from or seat.awaited_since or seat.deadline)}",
        f"DTSTART:{utc(seat.deadline - LENGTH)}",
        f"DTEND:{utc(seat.deadline)}",
        f"SUMMARY:{escaped(summary)}",
        f"DESCRIPTION:{escaped(described)}",
        f"URL:{page}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def published(loaded: LoadedMatch, seat: Seat) -> bytes:
    """Return a calendar with the seat's deadline for an email. It is empty if the seat has no deadline."""
    lines = entry(loaded, seat)
    return calendar(["METHOD:PUBLISH", *lines]) if lines else b""


def feed(user: User) -> bytes:
    """Return all running deadlines of a user. An entry disappears when the deadline no longer applies."""
    awaited = Seat.objects.filter(user=user, deadline__isnull=False, match__phase=Phase.RUNNING)
    matches = load_matches(set(awaited.values_list("match_id", flat=True)))
    entries = [entry(loaded, seat) for loaded in matches for seat in loaded.seats if seat.user_id == user.pk]
    return calendar(["X-WR-CALNAME:Turnpost", f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}", *chain(*entries)])


def calendar(lines: Iterable[str]) -> bytes:
    whole = ["BEGIN:VCALENDAR", "PRODID:-//Turnpost//EN", "VERSION:2.0", *lines, "END:VCALENDAR"]
    return b"".join(part + b"\r\n" for line in whole for part in folded(line.encode()))


def utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    return "\\n".join(text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").splitlines())


def folded(line: bytes) -> Iterator[bytes]:
    """Split a line that is too long. Continued lines begin with a space, and no character is split."""
    while len(line) > LONGEST_LINE:
        end = LONGEST_LINE
        while line[end] & 0b11000000 == 0b10000000:
            end -= 1
        yield line[:end]
        line = b" " + line[end:]
    yield line


def feed_link(user: User) -> str | None:
    """Return the address of the user's feed, or None if the feed is off."""
    if not user.calendar_key:
        return None
    return f"{settings.PUBLIC_URL}/calendar/{_feeds.sign_object([user.pk, user.calendar_key])}.ics"


def renew(user: User) -> None:
    """Turn on the feed with a new address. The old address stops working."""
    user.calendar_key = secrets.token_hex(8)
    user.save(update_fields=["calendar_key"])


def turn_off(user: User) -> None:
    user.calendar_key = ""
    user.save(update_fields=["calendar_key"])


def owner(token: str) -> User:
    """Return the user whose feed has this address. Raise NotFound if there is none."""
    try:
        user_id, key = _feeds.unsign_object(token)
    except (signing.BadSignature, TypeError, ValueError):
        raise no_such_feed() from None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.calendar_key or not constant_time_compare(user.calendar_key, key):
        raise no_such_feed()
    return user


def no_such_feed() -> NotFound:
    return NotFound("no_such_calendar", "This calendar doesn't exist.", "Get a new address in your settings.")
