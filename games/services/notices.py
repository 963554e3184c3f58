"""Who is to be told what after something happened."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.models import Seat
from games.selectors.loading import LoadedMatch
from notifications.models import Notification
from notifications.models.notification import NotificationKind


def to_seats(
    table: LoadedMatch, seats: Iterable[Seat], kind: NotificationKind, at: datetime, **details: Any
) -> list[Notification]:
    """One notice for each of the seats that somebody sits in."""
    return [
        Notification(
            user_id=seat.user_id,
            match=table.match,
            seat=seat.number,
            kind=kind,
            owed_at=at,
            due_at=at,
            **{"turn": table.match.turn} | details,
        )
        for seat in seats
        if seat.user_id is not None
    ]
