"""Export a user's notification data."""

from typing import Any

from django.db.models import Q

from accounts.export import exports
from accounts.models import User
from notifications.models import BouncingAddress, Notification, Webhook

Rows = list[dict[str, Any]]


@exports("notifications")
def notifications(user: User) -> Rows:
    known = Notification.objects.filter(Q(user=user) | Q(email=user.email)).order_by("created_at", "id")
    return [dict(row) for row in known.values("kind", "match", "turn", "delivery", "why", "created_at", "sent_at")]


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
