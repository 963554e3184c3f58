"""Webhooks and calls as their player sees them."""

from typing import Any

from core import numbers
from games.selectors.presenters import NOTICE_STATES
from notifications.models import Webhook, WebhookCall
from notifications.webhooks.service import url_of

Shown = dict[str, Any]


def webhook(of: Webhook) -> Shown:
    return {
        "id": of.pk,
        "name": of.name,
        "url": url_of(of),
        "kinds": of.kinds,
        "state": state(of),
        "why": of.why,
        "failures": of.failures,
        "failing_since": of.failing_since,
        "off_since": of.off_since,
        "taken_at": of.taken_at,
        "made_at": of.made_at,
    }


def state(of: Webhook) -> str:
    if of.off_since:
        return "off"
    return "failing" if of.failures else "on"


def call(of: WebhookCall) -> Shown:
    return {
        "id": numbers.disguised(of.pk),
        "event": of.notice.kind if of.notice else "test",
        "match": of.notice.match_id if of.notice else None,
        "state": NOTICE_STATES.get(of.delivery, "queued"),
        "why": of.why,
        "status": of.status,
        "tries": of.tries,
        "made_at": of.made_at,
        "sent_at": of.sent_at,
    }
