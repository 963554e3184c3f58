"""A genuine reply is always answered: with what came of it, or with what it lacks."""

import msgspec

from games import vault
from games.mail import outbox
from games.mail.inbound import orders
from games.mail.inbound.carrying_out import Results, carry_out
from games.mail.inbound.judging import Genuine, is_answered_too_often
from games.mail.inbound.reading import Reply
from games.models import InboundMail, Notice
from games.models.inbound import MailVerdict
from games.models.notice import NoticeKind

_results = msgspec.json.Decoder(Results)


def do_and_answer(mail: InboundMail, reply: Reply, genuine: Genuine) -> None:
    """The caller saves the mail."""
    results = carry_out(mail, genuine, orders.read(reply.lines, genuine.table.engine, reply.rests))
    mail.has_moved = results.moves_made > 0
    mail.has_arranged = results.arranged > 0
    mail.verdict = verdict_on(results, reply)
    if is_answered_too_often(mail):
        mail.verdict = MailVerdict.FLOOD
        return
    mail.results = vault.lock(msgspec.json.encode(results))
    outbox.owe([answer(mail, genuine)])


def verdict_on(results: Results, reply: Reply) -> MailVerdict:
    if results.done:
        return MailVerdict.ASKED if results.done == results.asked else MailVerdict.ACCEPTED
    return MailVerdict.REFUSED if reply.lines else MailVerdict.NO_ORDERS


def answer(mail: InboundMail, genuine: Genuine) -> Notice:
    return Notice(
        user=genuine.user,
        match=genuine.table.match,
        seat=genuine.seat.number,
        kind=NoticeKind.ANSWER,
        data={"mail": mail.pk, "message_id": mail.message_id, "answers": mail.notice_id},
        owed_at=mail.received_at,
        due_at=mail.received_at,
    )


def results_of(notice: Notice) -> Results | None:
    """None when they have been forgotten."""
    mail = InboundMail.objects.filter(pk=notice.data["mail"]).first()
    return _results.decode(vault.unlock(mail.results)) if mail and mail.results else None
