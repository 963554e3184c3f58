"""Notices that are owed to players, and what becomes of them."""

from datetime import UTC, datetime

from games.mail.sender import deliver_due
from games.models import Notice
from games.models.notice import NoticeKind
from games.table import lay_table

NOON = datetime(2026, 3, 28, 11, 0, tzinfo=UTC)  # the clocks in Berlin go forward in the night that follows


def prefer(seat, **wishes):
    for name, value in wishes.items():
        setattr(seat.user, name, value)
    seat.user.save()


def owe(table, seat, kind=NoticeKind.YOUR_TURN, turn=None, **changes):
    now = datetime.now(UTC)
    turn = lay_table(table.match.id).match.turn if turn is None else turn
    facts = {"user": seat.user, "match": table.match, "seat": seat.number, "turn": turn, "kind": kind}
    return Notice.objects.create(**facts | {"owed_at": now, "due_at": now} | changes)


def fate(notice):
    deliver_due()
    notice.refresh_from_db()
    return notice.delivery, notice.why
