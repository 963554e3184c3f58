"""Collect emails and webhook calls: those that were sent, and every kind that could be sent now."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from django.utils import timezone

from clock.models import Proposal
from core import vault
from games.models import Invitation, Message, Move
from inbound.execution.results import Results
from inbound.models import InboundMail
from notifications.context import Context, NothingToSay, load
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.models import Delivery, Notification, NotificationKind, Webhook, WebhookCall
from notifications.webhooks import service, signed_payload
from tests.acceptance.secrecy.api import Seen
from tests.acceptance.secrecy.patterns import BOUNDARY
from tests.acceptance.secrecy.sandbox import Sandbox, Viewer, rolled_back
from tests.mails import html_of
from tests.not_none import not_none

CALL_ID = re.compile(rb'"id":"[0-9a-f]{16}"')
FACTS: dict[str, Callable[[Sandbox, Viewer], dict[str, Any]]] = {
    NotificationKind.YOUR_TURN: lambda _, __: {},
    NotificationKind.NEWS: lambda _, __: {},
    NotificationKind.REMINDER: lambda _, __: {},
    NotificationKind.DEADLINE_PASSED: lambda _, __: {"late": [0]},
    NotificationKind.RESIGNED: lambda _, __: {"seat": 0},
    NotificationKind.PROPOSAL: lambda _, __: {"proposal": Proposal.objects.latest("pk").pk, "status": "open"},
    NotificationKind.INVITATION: lambda sandbox, viewer: {"invitation": invited(sandbox, viewer).pk},
    NotificationKind.MATCH_STARTED: lambda _, __: {},
    NotificationKind.MATCH_OVER: lambda _, __: {},
    NotificationKind.MATCH_LINK: lambda _, __: {},
    NotificationKind.MESSAGE: lambda _, __: {"message": Message.objects.earliest("pk").pk},
    NotificationKind.ANSWER: lambda _, __: {},
    NotificationKind.DIGEST: lambda _, __: {},
}
"""The kinds of notifications about matches, each with its data."""
OF_ACCOUNTS = {
    NotificationKind.CONFIRM_ADDRESS,
    NotificationKind.RESET_PASSWORD,
    NotificationKind.LOGIN_LINK,
    NotificationKind.ACCOUNT_CHANGED,
    NotificationKind.WEBHOOK_OFF,
    NotificationKind.TEST_MAIL,
}
"""The kinds of notifications that are not about a match."""


def mails(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Yield the emails in the order in which they arrived."""
    arrived = [mail for mail in sandbox.mail_server.arrived if viewer.user and mail["To"] == viewer.user.email]
    yield "mails", [BOUNDARY.sub("", mail.as_string()) for mail in arrived]


def calls(sandbox: Sandbox, viewer: Viewer) -> Seen:
    yield "webhooks", heard(sandbox, f"/{viewer.name}")


def calls_of_all(sandbox: Sandbox, _: Viewer) -> Seen:
    """Yield the webhook calls of all players, because other people may read the chat that a webhook posts to."""
    for player in sandbox.players:
        yield f"webhook of {player}", heard(sandbox, f"/{player}")


def heard(sandbox: Sandbox, path: str) -> list[object]:
    """Return the calls in sorted order, because they are made in parallel and have random IDs."""
    calls = [call for call in sandbox.listener.heard if call.path == path]
    in_order = sorted(calls, key=lambda call: CALL_ID.sub(b"", call.body))
    return [(sorted(call.headers.items()), call.body) for call in in_order]


def letters(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Yield the headers, text and HTML of every kind of email to this player.

    The receipts of the player's own sealed moves are left out, because they are different for each move.
    """
    sealed = Move.objects.filter(match=sandbox.match_id, is_sealed=True).exclude(receipt="")
    own = sealed.none() if viewer.seat is None else sealed.filter(seat=viewer.seat)
    for kind in FACTS if viewer.is_player else ():
        with rolled_back():
            text = repr(written(sandbox, viewer, kind, in_an_envelope))
            for receipt in own.values_list("receipt", flat=True):
                text = text.replace(receipt, "its receipt")
            yield f"letter {kind}", text


def chat_lines(sandbox: Sandbox, _: Viewer) -> Seen:
    """Yield every kind of webhook call for every player."""
    for player in sandbox.players:
        call = WebhookCall(pk=1, webhook=Webhook.objects.get(user=player.user))
        for kind in service.KINDS:
            with rolled_back():
                yield (
                    f"call {kind} of {player}",
                    written(sandbox, player, kind, partial(signed_payload.of_notification, call)),
                )


def written(sandbox: Sandbox, viewer: Viewer, kind: str, write_it: Callable[[Context], Any]) -> Any:
    """Return the text of the notification, or the reason why there is none."""
    (context,) = load([owed(sandbox, viewer, kind).pk])
    try:
        return write_it(context)
    except NothingToSay as reason:
        return str(reason)


def in_an_envelope(context: Context) -> list[Any]:
    message = seal(context, write(context))
    return [message.from_email, *message.message().items(), message.body, html_of(message)]


def owed(sandbox: Sandbox, viewer: Viewer, kind: str) -> Notification:
    now = timezone.now()
    facts = {"user": viewer.user, "match_id": sandbox.match_id, "seat": viewer.seat, "created_at": now, "due_at": now}
    notification = Notification.objects.create(kind=kind, data=FACTS[kind](sandbox, viewer), **facts)
    if kind == NotificationKind.ANSWER:
        results = Results(said=["'dance' is no move of this game."], moves_refused=1)
        mail = InboundMail.objects.create(
            notification=notification,
            user=viewer.user,
            turn=sandbox.table.match.turn,
            size=99,
            results=vault.encrypt(msgspec.json.encode(results)),
            received_at=now,
            due_at=now,
        )
        notification.data = {"mail": mail.pk, "message_id": "", "answers": notification.pk}
        notification.save()
    if kind == NotificationKind.DIGEST:
        told = Notification.objects.create(
            kind=NotificationKind.NEWS, **facts | {"created_at": now - timedelta(hours=1)}
        )
        Notification.objects.filter(pk=told.pk).update(delivery=Delivery.GATHERED, digest=notification)
    return notification


def invited(sandbox: Sandbox, viewer: Viewer) -> Invitation:
    host = not_none(sandbox.players[0].user)
    return Invitation.objects.create(
        match_id=sandbox.match_id, invited_by=host, user=viewer.user, made_at=timezone.now()
    )
