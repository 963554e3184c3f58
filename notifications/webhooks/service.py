"""Create, change, test, enable and remove webhooks."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.announcements import AccountChanged
from accounts.models import User
from core import vault
from core.announcements import announce
from core.jobs import wake
from core.refusals import Conflict, Invalid, NotFound
from notifications import outbox
from notifications.models import NotificationKind, Webhook, WebhookCall
from notifications.webhooks import calls, hosts, targets
from notifications.webhooks.targets import BadTarget, Target

MOST_WEBHOOKS = 10
KINDS = [
    NotificationKind.YOUR_TURN,
    NotificationKind.REMINDER,
    NotificationKind.DEADLINE_PASSED,
    NotificationKind.RESIGNED,
    NotificationKind.PROPOSAL,
    NotificationKind.INVITATION,
    NotificationKind.MATCH_STARTED,
    NotificationKind.MATCH_OVER,
    NotificationKind.MESSAGE,
    NotificationKind.NEWS,
]
USUAL_KINDS = [NotificationKind.YOUR_TURN, NotificationKind.REMINDER, NotificationKind.MATCH_OVER]


def create(user: User, url: str, kinds: Sequence[str], name: str = "") -> tuple[Webhook, str]:
    """Create a webhook, and return it with its secret, which is shown only once."""
    where = checked(url)
    secret = f"turnpost_hook_{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if user.webhooks.count() >= MOST_WEBHOOKS:
            raise Conflict("too_many_webhooks", f"You already have {MOST_WEBHOOKS} webhooks.", "Remove one first.")
        webhook = Webhook.objects.create(
            user=user,
            name=name,
            encrypted_url=vault.encrypt(url.encode()),
            host=hosts.host_of(where),
            encrypted_secret=vault.encrypt(secret.encode()),
            kinds=in_order(kinds),
        )
        calls.update_has_webhooks(user.pk)
        announce(AccountChanged(user, "webhook", where=where.host))
    return webhook, secret


def checked(url: str) -> Target:
    """Check the URL to give immediate feedback. The URL is checked again before every call."""
    try:
        where = targets.read(url)
        targets.addresses_of(where)
    except BadTarget as bad:
        raise Invalid(bad.code, bad.why, bad.hint) from None
    return where


def find(user: User, number: int) -> Webhook:
    webhook = Webhook.objects.filter(user=user, pk=number).first()
    if webhook is None:
        raise NotFound(
            "no_such_webhook", "You don't have a webhook with this ID.", "List your webhooks: GET /api/v1/me/webhooks"
        )
    return webhook


def change(user: User, number: int, **fields: Any) -> Webhook:
    webhook = find(user, number)
    if "kinds" in fields:
        fields["kinds"] = in_order(fields["kinds"])
    for name, value in fields.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(fields))
    return webhook


def in_order(kinds: Sequence[str]) -> list[str]:
    return [str(kind) for kind in KINDS if kind in kinds]


def remove(user: User, number: int) -> None:
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        find(user, number).delete()
        calls.update_has_webhooks(user.pk)


def add_test(user: User, number: int) -> WebhookCall:
    """Queue a test call. Webhooks that are turned off can be tested, too."""
    now = timezone.now()
    call = WebhookCall.objects.create(webhook=find(user, number), created_at=now, due_at=now)
    transaction.on_commit(partial(wake, outbox.WEBHOOKS))
    return call


def enable(user: User, number: int) -> Webhook:
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        webhook = change(user, number, disabled_at=None, failures=0, failing_since=None, why="")
        calls.update_has_webhooks(user.pk)
    return webhook
