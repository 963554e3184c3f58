"""Notices that are owed to webhooks, and what becomes of them."""

from datetime import UTC, datetime

from games.hooks import webhooks
from games.hooks.caller import deliver_due
from games.models import Call, Notice
from games.models.notice import NoticeKind

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVERY_KIND = webhooks.KINDS


def forget():
    Call.objects.all().delete()
    Notice.objects.all().delete()


def owe(seat, kind=NoticeKind.YOUR_TURN, **changes):
    now = datetime.now(UTC)
    facts = {"user": seat.user, "match": seat.match, "seat": seat.number, "turn": seat.match.turn, "kind": kind}
    return Notice.objects.create(**facts | {"owed_at": now, "due_at": now, "is_for_webhooks": True} | changes)


def fate(notice):
    deliver_due()
    call = notice.calls.get()
    return call.delivery, call.why
