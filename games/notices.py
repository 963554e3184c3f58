"""Who is to be told what after something happened."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.models import Notice, Seat
from games.models.notice import NoticeKind
from games.table import Table


def to_seats(table: Table, seats: Iterable[Seat], kind: NoticeKind, at: datetime, **details: Any) -> list[Notice]:
    """One notice for each of the seats that somebody sits in."""
    return [
        Notice(
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
