"""From a message that is kept to its verdict: what it orders is done, what it is owed is written, and its content is
gone, all in one transaction. So a message is dealt with once, however often somebody begins to."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core import vault
from core.jobs import claims
from games.selectors.loading import load_match
from inbound import answers, authentication, counts
from inbound.models import InboundMail, MailVerdict
from inbound.parsing import read
from notifications import bounces, delivery_log
from notifications.reply_addresses import Purpose, is_mark_of

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
MOST_TRIES = 8


def handle_due(is_stopping: Callable[[], bool] = lambda: False) -> None:
    """In the order in which messages came, as far as nobody else is at them."""
    while not is_stopping() and (token := claim_next(timezone.now())):
        try:
            handle(token)
        except Exception:
            logger.exception("A message could not be dealt with")
            give_back(token)


def due(now: datetime) -> QuerySet[InboundMail]:
    return InboundMail.objects.filter(verdict=MailVerdict.WAITING, due_at__lte=now)


def claim_next(now: datetime) -> str:
    """Takes one message for oneself until the lease ends; empty if none is due."""
    if not due(now).exists():
        return ""
    token, taken = claims.take(due(now).order_by("received_at", "pk").only("pk"), 1, until=now + LEASE)
    return token if taken else ""


@transaction.atomic
def handle(token: str) -> None:
    """Nothing happens if somebody else has taken the message over after the lease."""
    held = InboundMail.objects.select_for_update(of=("self",)).select_related("notice", "user")
    mail = held.filter(claim=token, verdict=MailVerdict.WAITING).first()
    if mail is None:
        return
    if mail.tries > MOST_TRIES:
        give_up(mail)
        return
    note_bounce(mail) if mail.purpose == Purpose.BOUNCE else handle_reply(mail)
    mail.handled_at, mail.content = timezone.now(), ""
    mail.save()
    counts.count(MailVerdict(mail.verdict), mail.source, mail.attachments)


def handle_reply(mail: InboundMail) -> None:
    reply = read(vault.unlock(mail.content), mail.envelope_from)
    mail.attachments = min(reply.attachments, 2**15 - 1)
    table = load_match(mail.notice.match_id, lock=True) if mail.notice.match_id else None
    genuine = authentication.judge(mail, reply, table)
    if isinstance(genuine, MailVerdict):
        mail.verdict = genuine
    else:
        answers.do_and_answer(mail, reply, genuine)


def note_bounce(mail: InboundMail) -> None:
    """What came to that address and is no report was written by a program, too: people answer elsewhere."""
    address = mail.notice.address
    has_moved_on = bool(mail.reader) and not is_mark_of(mail.reader, address)
    is_report = bounces.note_report(vault.unlock(mail.content), mail.notice_id, has_moved_on=has_moved_on)
    mail.verdict = MailVerdict.BOUNCE if is_report else MailVerdict.AUTOMATIC


def give_back(token: str) -> None:
    """To be tried again after a while, though not for ever. The content of what failed stays until it is forgotten."""
    mail = InboundMail.objects.filter(claim=token, verdict=MailVerdict.WAITING).first()
    if mail is None:
        return
    if mail.tries >= MOST_TRIES:
        give_up(mail)
    else:
        mail.due_at = timezone.now() + delivery_log.delay(mail.tries)
        mail.save(update_fields=["due_at"])


def give_up(mail: InboundMail) -> None:
    """Also on what was begun so often and never ended: whoever tried died of it, so nobody even reads it again."""
    logger.error("A message is given up after %s attempts: %s", MOST_TRIES, mail)
    mail.verdict, mail.handled_at = MailVerdict.FAILED, timezone.now()
    mail.save(update_fields=["verdict", "handled_at"])
    counts.count(MailVerdict.FAILED, mail.source)
