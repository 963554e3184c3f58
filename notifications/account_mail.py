"""Mail about accounts: a row in the transaction of its cause, never a secret in it."""

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import NotificationKind


def owe(kind: NotificationKind, to: User | str, **data: str | int) -> None:
    """To a user, wherever their mail goes then; or to this very address, whoever it belongs to."""
    now = timezone.now()
    whom = {"user": to} if isinstance(to, User) else {"email": to}
    outbox.owe([Notification(kind=kind, data=data, owed_at=now, due_at=now, **whom)])


def forget(user: User) -> None:
    """What was sent to their address rather than to them."""
    Notification.objects.filter(Q(email=user.email) | Q(user=None, data__user=user.pk)).delete()
