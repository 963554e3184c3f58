"""What players do with their webhooks: make, change, try, switch on again, remove."""

import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import post
from accounts.models import User
from games import vault
from games.hooks import place
from games.hooks.place import BadPlace, Place
from games.mail import bell
from games.models import Call, Webhook
from games.models.notice import NoticeKind
from rest.refusal import Refused

MOST_WEBHOOKS = 10
KINDS = [
    NoticeKind.YOUR_TURN,
    NoticeKind.REMINDER,
    NoticeKind.DEADLINE_PASSED,
    NoticeKind.PROPOSAL,
    NoticeKind.INVITATION,
    NoticeKind.MATCH_STARTED,
    NoticeKind.MATCH_OVER,
    NoticeKind.MESSAGE,
    NoticeKind.NEWS,
]
USUAL_KINDS = [NoticeKind.YOUR_TURN, NoticeKind.REMINDER, NoticeKind.MATCH_OVER]


def create(user: User, url: str, kinds: Sequence[str], name: str = "") -> tuple[Webhook, str]:
    """The webhook and its secret, which is shown only now."""
    where = checked(url)
    secret = f"turnpost_hook_{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if user.webhooks.count() >= MOST_WEBHOOKS:
            raise Refused(
                409, "too_many_webhooks", f"You have {MOST_WEBHOOKS} webhooks already.", "Remove one of them first."
            )
        webhook = Webhook.objects.create(
            user=user,
            name=name,
            locked_url=vault.lock(url.encode()),
            locked_secret=vault.lock(secret.encode()),
            kinds=in_order(kinds),
        )
        post.owe(NoticeKind.ACCOUNT_CHANGED, user, what="webhook", where=where.host)
    return webhook, secret


def checked(url: str) -> Place:
    """Looked at here for the sake of whoever types it, and again at each call."""
    try:
        where = place.read(url)
        place.addresses_of(where)
    except BadPlace as bad:
        raise Refused(400, bad.code, bad.why, bad.hint) from None
    return where


def find(user: User, number: int) -> Webhook:
    webhook = Webhook.objects.filter(user=user, pk=number).first()
    if webhook is None:
        raise Refused(404, "no_such_webhook", "You have no such webhook.", "List them first.")
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
    find(user, number).delete()


def owe_test(user: User, number: int) -> Call:
    """Owed like any call, so that it takes the same way; also to one that is off, to see whether it works again."""
    now = timezone.now()
    call = Call.objects.create(webhook=find(user, number), made_at=now, due_at=now)
    transaction.on_commit(bell.ring_for_webhooks)
    return call


def enable(user: User, number: int) -> Webhook:
    return change(user, number, off_since=None, failures=0, failing_since=None, why="")


def url_of(webhook: Webhook) -> str:
    return vault.unlock(webhook.locked_url).decode()
