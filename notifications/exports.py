"""Export a user's notification data."""

from typing import Any

from django.db.models import Q

from accounts.export import exports
from accounts.models import User
from notifications import archive
from notifications.models import ArchivedNotifications, BouncingAddress, Notification, Webhook

Rows = list[dict[str, Any]]


@exports("notifications")
def notifications(user: User) -> Rows:
    archives = ArchivedNotifications.objects.filter(user=user)
    known = [*Notification.objects.filter(Q(user=user) | Q(email=user.email)), *archive.all_in(archives)]
    return [
        {
            "kind": one.kind,
            "match": one.match_id,
            "turn": one.turn,
            "delivery": one.delivery,
            "why": one.why,
            "created_at": one.created_at,
            "sent_at": one.sent_at,
        }
        for one in sorted(known, key=lambda one: (one.created_at, one.pk))
    ]


@exports("bounces")
def bounces(user: User) -> Rows:
    known = BouncingAddress.objects.filter(email=user.email)
    return [
        dict(row) for row in known.values("email", "is_stopped", "why", "since", "bounces", "quiet_until", "cleared_at")
    ]


@exports("webhooks")
def webhooks(user: User) -> Rows:
    """Export the webhooks without their secrets, which are shown only once."""
    return [
        {
            "name": one.name,
            "url": one.url,
            "kinds": one.kinds,
            "created_at": one.created_at,
            "last_success_at": one.last_success_at,
        }
        for one in Webhook.objects.filter(user=user).order_by("id")
    ]
