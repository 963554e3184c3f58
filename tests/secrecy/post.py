"""What is mailed and what programs are called with: as the mail server and the listener got it, and every kind of
letter that could be written at this moment."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from django.utils import timezone

from games import vault
from games.hooks import body, webhooks
from games.mail.envelope import seal
from games.mail.inbound.carrying_out import Results
from games.mail.letters import write
from games.mail.occasion import NothingToSay, Occasion, load
from games.models import Call, InboundMail, Invitation, Message, Notice, Proposal, Webhook
from games.models.notice import Delivery, NoticeKind
from tests.secrecy.api import Seen
from tests.secrecy.stage import Stage, Viewer, undone

BOUNDARY = re.compile(r"={10,}\d+==")
FACTS: dict[str, Callable[[Stage, Viewer], dict[str, Any]]] = {
    NoticeKind.YOUR_TURN: lambda _, __: {},
    NoticeKind.NEWS: lambda _, __: {},
    NoticeKind.REMINDER: lambda _, __: {},
    NoticeKind.DEADLINE_PASSED: lambda _, __: {"late": [0]},
    NoticeKind.PROPOSAL: lambda _, __: {"proposal": Proposal.objects.latest("pk").pk, "verdict": "open"},
    NoticeKind.INVITATION: lambda stage, viewer: {"invitation": invited(stage, viewer).pk},
    NoticeKind.MATCH_STARTED: lambda _, __: {},
    NoticeKind.MATCH_OVER: lambda _, __: {},
    NoticeKind.MESSAGE: lambda _, __: {"message": Message.objects.earliest("pk").pk},
    NoticeKind.ANSWER: lambda _, __: {},
    NoticeKind.DIGEST: lambda _, __: {},
}
"""The kinds that tell of matches, each with what else it must know."""
OF_ACCOUNTS = {
    NoticeKind.CONFIRM_ADDRESS,
    NoticeKind.RESET_PASSWORD,
    NoticeKind.ACCOUNT_CHANGED,
    NoticeKind.WEBHOOK_OFF,
    NoticeKind.TEST_MAIL,
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
    calls = [call for call in stage.listener.heard if call.path == path]
    return sorted((sorted(call.headers.items()), call.body) for call in calls)


def letters(stage: Stage, viewer: Viewer) -> Seen:
    """Every kind to this player: headers, text and HTML."""
    for kind in FACTS if viewer.is_player else ():
        with undone():
            yield f"letter {kind}", written(stage, viewer, kind, in_an_envelope)


def chat_lines(stage: Stage, _: Viewer) -> Seen:
    """Every kind that a webhook can be called with, for every player."""
    for player in stage.players:
        call = Call(pk=1, webhook=Webhook.objects.get(user=player.user))
        for kind in webhooks.KINDS:
            with undone():
                yield f"call {kind} of {player}", written(stage, player, kind, partial(body.of_notice, call))


def written(stage: Stage, viewer: Viewer, kind: str, write_it: Callable[[Occasion], Any]) -> Any:
    """What the notice says, or why it says nothing."""
    (occasion,) = load([owed(stage, viewer, kind).pk])
    try:
        return write_it(occasion)
    except NothingToSay as reason:
        return str(reason)


def in_an_envelope(occasion: Occasion) -> list[Any]:
    message = seal(occasion, write(occasion))
    return [message.from_email, *message.message().items(), message.body, message.alternatives[0].content]


def owed(stage: Stage, viewer: Viewer, kind: str) -> Notice:
    now = timezone.now()
    facts = {"user": viewer.user, "match_id": stage.match_id, "seat": viewer.seat, "owed_at": now, "due_at": now}
    notice = Notice.objects.create(kind=kind, data=FACTS[kind](stage, viewer), **facts)
    if kind == NoticeKind.ANSWER:
        results = Results(said=["'dance' is no move of this game."], moves_refused=1)
        mail = InboundMail.objects.create(
            notice=notice,
            user=viewer.user,
            turn=stage.table.match.turn,
            size=99,
            results=vault.lock(msgspec.json.encode(results)),
            received_at=now,
            due_at=now,
        )
        notice.data = {"mail": mail.pk, "message_id": "", "answers": notice.pk}
        notice.save()
    if kind == NoticeKind.DIGEST:
        told = Notice.objects.create(kind=NoticeKind.NEWS, **facts | {"owed_at": now - timedelta(hours=1)})
        Notice.objects.filter(pk=told.pk).update(delivery=Delivery.GATHERED, digest=notice)
    return notice


def invited(stage: Stage, viewer: Viewer) -> Invitation:
    host = stage.players[0].user
    return Invitation.objects.create(match_id=stage.match_id, invited_by=host, user=viewer.user, made_at=timezone.now())
