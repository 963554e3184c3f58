"""A player's mailbox as we know it: whether our mail arrives there, and how to find out."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core import tally
from notifications import bounces, outbox
from notifications.models import BouncingAddress, Notification
from notifications.models.notification import NotificationKind

STOPPED = "See that mail can arrive there, then ask for a test mail (POST /me/test-mail); or use another address."
DELAYED = "Mail is tried again then. If you have mended it already, ask for a test mail (POST /me/test-mail)."


def state_of(user: User) -> dict[str, Any]:
    trouble = BouncingAddress.objects.filter(email=user.email).first()
    if trouble and trouble.is_stopped:
        return {"state": "stopped", "why": trouble.why, "since": trouble.since, "until": None, "hint": STOPPED}
    if trouble and trouble.quiet_until and trouble.quiet_until > timezone.now():
        until = trouble.quiet_until
        return {"state": "delayed", "why": trouble.why, "since": trouble.since, "until": until, "hint": DELAYED}
    return {"state": "ok", "why": "", "since": None, "until": None, "hint": ""}


def send_test(user: User) -> Notification:
    """Mail is tried again from here on; should it come back, it stops again."""
    tally.spend("mailbox", user.email, NotificationKind.TEST_MAIL)
    now = timezone.now()
    with transaction.atomic():
        bounces.mend(user.email)
        outbox.owe([Notification(user=user, kind=NotificationKind.TEST_MAIL, owed_at=now, due_at=now)])
    return Notification.objects.filter(user=user, kind=NotificationKind.TEST_MAIL).latest("pk")
