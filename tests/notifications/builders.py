"""Queue notifications and deliver them."""

from datetime import UTC, datetime

from games.selectors.loading import load_match
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind

NOON = datetime(2026, 3, 28, 11, 0, tzinfo=UTC)  # in Berlin, clocks go forward the following night


def prefer(seat, **preferences):
    for name, value in preferences.items():
        setattr(seat.user, name, value)
    seat.user.save()


def notify(table, seat, kind=NotificationKind.YOUR_TURN, turn=None, **changes):
    now = datetime.now(UTC)
    turn = load_match(table.match.id).match.turn if turn is None else turn
    facts = {"user": seat.user, "match": table.match, "seat": seat.number, "turn": turn, "kind": kind}
    return Notification.objects.create(**facts | {"created_at": now, "due_at": now} | changes)


def outcome(notification):
    deliver_due()
    notification.refresh_from_db()
    return notification.delivery, notification.why
