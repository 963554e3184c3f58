"""Queue notifications for webhooks, and make the calls."""

from datetime import UTC, datetime

from notifications.models import Notification, NotificationKind, WebhookCall
from notifications.webhooks import service
from notifications.webhooks.sender import deliver_due

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVERY_KIND = service.KINDS


def forget():
    WebhookCall.objects.all().delete()
    Notification.objects.all().delete()


def notify(seat, kind=NotificationKind.YOUR_TURN, **changes):
    now = datetime.now(UTC)
    facts = {"user": seat.user, "match": seat.match, "seat": seat.number, "turn": seat.match.turn, "kind": kind}
    return Notification.objects.create(**facts | {"created_at": now, "due_at": now, "is_for_webhooks": True} | changes)


def outcome(notification):
    deliver_due()
    call = notification.calls.get()
    return call.delivery, call.why
