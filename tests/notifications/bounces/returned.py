"""Builders for emails that have bounced."""

from datetime import UTC, datetime
from pathlib import Path

from django.utils import timezone

from inbound import bounce_reports
from notifications import bounces
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from tests.not_none import not_none
from tests.notifications.builders import outcome

SAMPLES = Path(__file__).parent / "samples"
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def sample(name):
    return (SAMPLES / f"{name}.eml").read_bytes()


HARD, SOFT = sample("postfix_unknown_user"), sample("exchange_full")


def notify(whom, kind=NotificationKind.ACCOUNT_CHANGED, **changes):
    now = timezone.now()
    facts = {"user": whom, "kind": kind, "data": {"user": whom.pk, "what": "password"}}
    return Notification.objects.create(**facts | {"created_at": now, "due_at": now} | changes)


def sent(user, **changes):
    notification = notify(user, **changes)
    assert outcome(notification) == (Delivery.SENT, "")
    return notification


def bounced(user, raw):
    """Send this user an email that bounces with this report."""
    notification = sent(user)
    report(raw, notification.pk)
    notification.refresh_from_db()
    return notification


def report(raw, notification_id):
    """Deliver a bounce report to this notification's return address."""
    bounces.note(notification_id, not_none(bounce_reports.read(raw)))


def bouncing_address(user):
    return BouncingAddress.objects.filter(email=user.email).first()
