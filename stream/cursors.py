"""Cursors, which contain the number of the last event that a client has, and a short hash of that event.

The hash shows whether the number still stands for the same event. After a restore from a backup, or with the cursor of
another account, the number belongs to a different event, and continuing would silently skip events.
"""

import re
from hmac import compare_digest

from django.utils.crypto import salted_hmac

from core.refusals import Gone, Invalid, Refused
from stream import store
from stream.models import StreamEvent

BEGINNING = "0"
WRITTEN = re.compile(r"([1-9][0-9]{0,17})-([0-9a-f]{8})")


def cursor_of(event: StreamEvent | None) -> str:
    if event is None:
        return BEGINNING
    about = f"{event.user_id} {event.number} {event.happened_at.isoformat()}"
    return f"{event.number}-{salted_hmac('stream.cursors', about, algorithm='sha256').hexdigest()[:8]}"


def number_behind(user_id: int, cursor: str) -> int:
    """Return the number of the event that the cursor points to. Raise Invalid or Gone if the client can't continue
    after it."""
    if cursor == BEGINNING:
        return 0
    written = WRITTEN.fullmatch(cursor)
    if not written:
        raise Invalid("bad_cursor", "This isn't a cursor.", "Send the `cursor` of the last event you have, or 0.")
    number = int(written[1])
    found = StreamEvent.objects.filter(user=user_id, number=number).first()
    if found is None or not compare_digest(cursor_of(found), cursor):
        raise gone(user_id)
    return number


def gone(user_id: int) -> Refused:
    latest = cursor_of(store.last_event(user_id))
    return Gone(
        "cursor_expired",
        "The events after this cursor are no longer all available.",
        f"Fetch your matches again, and then continue with after={latest}.",
        cursor=latest,
        kept_days=store.KEPT.days,
    )
