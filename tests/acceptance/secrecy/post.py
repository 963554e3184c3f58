"""What is mailed and what programs are called with: as the mail server and the listener got it, and every kind of
letter that could be written at this moment."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from django.utils import timezone

from clock.models import Proposal
from core import vault
from games.models import Invitation, Message
from inbound.execution import Results
from inbound.models import InboundMail
from notifications.context import Context, NothingToSay, load
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.models import Delivery, Notification, NotificationKind, Webhook, WebhookCall
from notifications.webhooks import service, signed_payload
from tests.acceptance.secrecy.api import Seen
from tests.acceptance.secrecy.stage import Stage, Viewer, undone

CALL_ID = re.compile(rb'"id":"[0-9a-f]{16}"')
BOUNDARY = re.compile(r"={10,}\d+==")
FACTS: dict[str, Callable[[Stage, Viewer], dict[str, Any]]] = {
    NotificationKind.YOUR_TURN: lambda _, __: {},
    NotificationKind.NEWS: lambda _, __: {},
    NotificationKind.REMINDER: lambda _, __: {},
    NotificationKind.DEADLINE_PASSED: lambda _, __: {"late": [0]},
    NotificationKind.PROPOSAL: lambda _, __: {"proposal": Proposal.objects.latest("pk").pk, "status": "open"},
    NotificationKind.INVITATION: lambda stage, viewer: {"invitation": invited(stage, viewer).pk},
    NotificationKind.MATCH_STARTED: lambda _, __: {},
    NotificationKind.MATCH_OVER: lambda _, __: {},
    NotificationKind.MESSAGE: lambda _, __: {"message": Message.objects.earliest("pk").pk},
    NotificationKind.ANSWER: lambda _, __: {},
    NotificationKind.DIGEST: lambda _, __: {},
}
"""The kinds that tell of matches, each with what else it must know."""
OF_ACCOUNTS = {
    NotificationKind.CONFIRM_ADDRESS,
    NotificationKind.RESET_PASSWORD,
    NotificationKind.ACCOUNT_CHANGED,
    NotificationKind.WEBHOOK_OFF,
    NotificationKind.TEST_MAIL,
}
"""These know of no match."""


def mails(stage: Stage, viewer: Viewer) -> Seen:
    """As they arrived, in their order."""
    arrived = [mail for mail in stage.sink.arrived if viewer.user and mail["To"] == viewer.user.email]
    yield "mails", [BOUNDARY.sub("", mail.as_string()) for mail in arrived]


def calls(stage: Stage, viewer: Viewer) -> Seen:
    yield "webhooks", heard(stage, f"/{viewer.name}")


def calls_of_all(stage: Stage, _: Viewer) -> Seen:
    """A chat has more readers than the player whose webhook it is."""
    for player in stage.players:
        yield f"webhook of {player}", heard(stage, f"/{player}")


def heard(stage: Stage, path: str) -> list[object]:
    """Calls are made several at once, so they arrive in any order; and their ids have none."""
    calls = [call for call in stage.listener.heard if call.path == path]
    in_order = sorted(calls, key=lambda call: CALL_ID.sub(b"", call.body))
    return [(sorted(call.headers.items()), call.body) for call in in_order]


def letters(stage: Stage, viewer: Viewer) -> Seen:
    """Every kind to this player: headers, text and HTML."""
    for kind in FACTS if viewer.is_player else ():
        with undone():
            yield f"letter {kind}", written(stage, viewer, kind, in_an_envelope)


def chat_lines(stage: Stage, _: Viewer) -> Seen:
    """Every kind that a webhook can be called with, for every player."""
    for player in stage.players:
        call = WebhookCall(pk=1, webhook=Webhook.objects.get(user=player.user))
        for kind in service.KINDS:
            with undone():
                yield (
                    f"call {kind} of {player}",
                    written(stage, player, kind, partial(signed_payload.of_notification, call)),
                )


def written(stage: Stage, viewer: Viewer, kind: str, write_it: Callable[[Context], Any]) -> Any:
    """What the notification says, or why it says nothing."""
    (context,) = load([owed(stage, viewer, kind).pk])
    try:
        return write_it(context)
    except NothingToSay as reason:
        return str(reason)


def in_an_envelope(context: Context) -> list[Any]:
    message = seal(context, write(context))
    return [message.from_email, *message.message().items(), message.body, message.alternatives[0].content]


def owed(stage: Stage, viewer: Viewer, kind: str) -> Notification:
    now = timezone.now()
    facts = {"user": viewer.user, "match_id": stage.match_id, "seat": viewer.seat, "created_at": now, "due_at": now}
    notification = Notification.objects.create(kind=kind, data=FACTS[kind](stage, viewer), **facts)
    if kind == NotificationKind.ANSWER:
        results = Results(said=["'dance' is no move of this game."], moves_refused=1)
        mail = InboundMail.objects.create(
            notification=notification,
            user=viewer.user,
            turn=stage.table.match.turn,
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


def invited(stage: Stage, viewer: Viewer) -> Invitation:
    host = stage.players[0].user
    return Invitation.objects.create(match_id=stage.match_id, invited_by=host, user=viewer.user, made_at=timezone.now())
