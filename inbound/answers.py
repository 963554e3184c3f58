"""A genuine reply is always answered: with what came of it, or with what it lacks."""

import msgspec

from core import vault
from inbound import commands
from inbound.authentication import Genuine, is_answered_too_often
from inbound.execution import Results, carry_out
from inbound.models import InboundMail, MailVerdict
from inbound.parsing import Reply
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import NotificationKind

_results = msgspec.json.Decoder(Results)


def do_and_answer(mail: InboundMail, reply: Reply, genuine: Genuine) -> None:
    """The caller saves the mail."""
    results = carry_out(mail, genuine, commands.read(reply.lines, genuine.loaded.engine, reply.rests))
    mail.has_moved = results.moves_made > 0
    mail.has_arranged = results.arranged > 0
    mail.verdict = verdict_on(results, reply)
    if is_answered_too_often(mail):
        mail.verdict = MailVerdict.FLOOD
        return
    mail.results = vault.lock(msgspec.json.encode(results))
    outbox.add([answer(mail, genuine)])


def verdict_on(results: Results, reply: Reply) -> MailVerdict:
    if results.done:
        return MailVerdict.ASKED if results.done == results.asked else MailVerdict.ACCEPTED
    return MailVerdict.REFUSED if reply.lines else MailVerdict.NO_COMMANDS


def answer(mail: InboundMail, genuine: Genuine) -> Notification:
    return Notification(
        user=genuine.user,
        match=genuine.loaded.match,
        seat=genuine.seat.number,
        kind=NotificationKind.ANSWER,
        data={"mail": mail.pk, "message_id": mail.message_id, "answers": mail.notification_id},
        owed_at=mail.received_at,
        due_at=mail.received_at,
    )


def results_of(notification: Notification) -> Results | None:
    """None when they have been forgotten."""
    mail = InboundMail.objects.filter(pk=notification.data["mail"]).first()
    return _results.decode(vault.unlock(mail.results)) if mail and mail.results else None
