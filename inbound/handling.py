"""Handle a stored message in one transaction: run its commands, queue the answer and delete its content.

A message is therefore handled only once, even if several workers start handling it.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from accounts.export import exports
from accounts.models import User
from core import vault
from core.housekeeping import hourly
from core.jobs import IsOver, Queue, worker
from games.selectors.loading import load_match
from inbound import answers, authentication, bounce_reports, counts, invited, unplayed
from inbound.models import InboundMail, MailCount, MailResult
from inbound.parsing import read
from inbound.receiving import INBOUND
from notifications import bounces
from notifications.archiving import refers_to_notifications
from notifications.models import NotificationKind
from notifications.reply_addresses import GOOD_FOR, Purpose, is_mark_of

logger = logging.getLogger(__name__)

NOT_ABOUT_A_MATCH = (NotificationKind.DIGEST, NotificationKind.ANSWER)
CONTENT_KEPT = timedelta(days=7)
MAIL_KEPT = max(GOOD_FOR.values()) + timedelta(days=30)
"""How long rows are kept. They record which addresses have been used, so they must outlive those addresses."""
QUEUE = Queue(
    InboundMail,
    state="result",
    queued=MailResult.WAITING,
    claimed=MailResult.WAITING,
    lease=timedelta(minutes=5),
    most_tries=8,
    order=("received_at", "pk"),
)


@worker(INBOUND)
def handle_due(is_over: IsOver = lambda: False) -> None:
    """Handle waiting messages in order of arrival. Messages that another worker has claimed are skipped."""
    for claim in QUEUE.claims(is_over, most=1):
        try:
            handle(claim.token)
        except Exception:
            logger.exception("Could not handle a message")
            give_back(claim.token)


@transaction.atomic
def handle(token: str) -> None:
    """Handle one message, unless the lease has expired and another worker has claimed it."""
    mail = QUEUE.held(token).select_for_update(of=("self",)).select_related("notification", "user").first()
    if mail is None:
        return
    if mail.tries > QUEUE.most_tries:
        give_up(mail)
        return
    note_bounce(mail) if mail.purpose == Purpose.BOUNCE else handle_reply(mail)
    mail.handled_at, mail.content = timezone.now(), ""
    mail.save()
    counts.count(MailResult(mail.result), mail.source, mail.attachments)


def handle_reply(mail: InboundMail) -> None:
    reply = read(vault.decrypt(mail.content), mail.envelope_from)
    mail.attachments = min(reply.attachments, 2**15 - 1)
    loaded = load_match(mail.notification.match_id, lock=True) if mail.notification.match_id else None
    if loaded and invited.is_invited(mail, loaded):
        invited.answer_invited(mail, reply, loaded)
        return
    if loaded is None and mail.notification.kind in NOT_ABOUT_A_MATCH:
        unplayed.answer_digest(mail, reply)
        return
    genuine = authentication.authenticate(mail, reply, loaded)
    if isinstance(genuine, MailResult) or mail.problem:
        mail.result = genuine if isinstance(genuine, MailResult) else mail.problem
        unplayed.explain(mail)
    else:
        answers.do_and_answer(mail, reply, genuine)


def note_bounce(mail: InboundMail) -> None:
    """Handle mail to a bounce address.

    Mail that isn't a bounce report counts as automated, because people write to the reply address.
    """
    address = mail.notification.address
    has_moved_on = bool(mail.reader) and not is_mark_of(mail.reader, address)
    report = bounce_reports.read(vault.decrypt(mail.content))
    mail.result = MailResult.BOUNCE if report else MailResult.AUTOMATIC
    if report:
        bounces.note(mail.notification_id, report, has_moved_on=has_moved_on)


def give_back(token: str) -> None:
    """Schedule another attempt, unless the limit has been reached.

    A failed message keeps its content until it is too old.
    """
    mail = QUEUE.held(token).first()
    if mail is None:
        return
    if mail.tries >= QUEUE.most_tries:
        give_up(mail)
    else:
        QUEUE.held(token).update(**QUEUE.again(mail.tries, timezone.now()))


def give_up(mail: InboundMail) -> None:
    """Mark a message as failed.

    Its content must not be read here, because reading it may have crashed every worker that tried.
    """
    logger.error("Giving up on a message after %s attempts: %s", QUEUE.most_tries, mail)
    mail.result, mail.handled_at = MailResult.FAILED, timezone.now()
    if mail.purpose == Purpose.REPLY:
        unplayed.explain(mail)
    mail.save(update_fields=["result", "handled_at", "results"])
    counts.count(MailResult.FAILED, mail.source)


@hourly
def forget_old(now: datetime) -> None:
    old = InboundMail.objects.filter(received_at__lt=now - CONTENT_KEPT)
    old.filter(result=MailResult.WAITING).update(result=MailResult.FAILED, handled_at=now)
    old.exclude(content="", results="").update(content="", results="")
    InboundMail.objects.filter(received_at__lt=now - MAIL_KEPT).delete()
    MailCount.objects.filter(day__lt=(now - counts.RETENTION).date()).delete()


@refers_to_notifications
def mails(notification: OuterRef) -> QuerySet[InboundMail]:
    return InboundMail.objects.filter(notification=notification)


@exports("mail")
def exported(user: User) -> list[dict[str, Any]]:
    """Export a user's received messages. Their text isn't included, because we delete it."""
    known = InboundMail.objects.filter(user=user).order_by("id")
    return [
        dict(row)
        for row in known.values("notification__match", "purpose", "envelope_from", "size", "result", "received_at")
    ]
