"""Handle a stored message in one transaction: run its commands, queue the answer and delete its content.

This way, a message is handled only once, even if several workers start on it.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.export import exports
from accounts.models import User
from core import vault
from core.housekeeping import hourly
from core.jobs import IsOver, Queue, worker
from games.selectors.loading import load_match
from inbound import answers, authentication, bounce_reports, counts
from inbound.models import InboundMail, MailCount, MailVerdict
from inbound.parsing import read
from inbound.receiving import INBOUND
from notifications import bounces
from notifications.reply_addresses import GOOD_FOR, Purpose, is_mark_of

logger = logging.getLogger(__name__)

CONTENT_KEPT = timedelta(days=7)
MAIL_KEPT = max(GOOD_FOR.values()) + timedelta(days=30)
"""How long rows are kept. They record which addresses have been used, so they must outlive the addresses."""
QUEUE = Queue(
    InboundMail,
    state="verdict",
    queued=MailVerdict.WAITING,
    claimed=MailVerdict.WAITING,
    lease=timedelta(minutes=5),
    most_tries=8,
    order=("received_at", "pk"),
)


@worker(INBOUND)
def handle_due(is_over: IsOver = lambda: False) -> None:
    """Handle waiting messages in order of arrival, except those that another worker has claimed."""
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
    counts.count(MailVerdict(mail.verdict), mail.source, mail.attachments)


def handle_reply(mail: InboundMail) -> None:
    reply = read(vault.decrypt(mail.content), mail.envelope_from)
    mail.attachments = min(reply.attachments, 2**15 - 1)
    loaded = load_match(mail.notification.match_id, lock=True) if mail.notification.match_id else None
    genuine = authentication.authenticate(mail, reply, loaded)
    if isinstance(genuine, MailVerdict):
        mail.verdict = genuine
    else:
        answers.do_and_answer(mail, reply, genuine)


def note_bounce(mail: InboundMail) -> None:
    """Handle mail to a bounce address. If it isn't a report, it is some other automatic mail: people write to the
    reply address."""
    address = mail.notification.address
    has_moved_on = bool(mail.reader) and not is_mark_of(mail.reader, address)
    report = bounce_reports.read(vault.decrypt(mail.content))
    mail.verdict = MailVerdict.BOUNCE if report else MailVerdict.AUTOMATIC
    if report:
        bounces.note(mail.notification_id, report, has_moved_on=has_moved_on)


def give_back(token: str) -> None:
    """Schedule another try, up to the limit. A failed message keeps its content until it is too old."""
    mail = QUEUE.held(token).first()
    if mail is None:
        return
    if mail.tries >= QUEUE.most_tries:
        give_up(mail)
    else:
        QUEUE.held(token).update(**QUEUE.again(mail.tries, timezone.now()))


def give_up(mail: InboundMail) -> None:
    """Mark a message as failed. This must not read its content, because the content may have crashed every worker
    that tried."""
    logger.error("Giving up on a message after %s attempts: %s", QUEUE.most_tries, mail)
    mail.verdict, mail.handled_at = MailVerdict.FAILED, timezone.now()
    mail.save(update_fields=["verdict", "handled_at"])
    counts.count(MailVerdict.FAILED, mail.source)


@hourly
def forget_old(now: datetime) -> None:
    old = InboundMail.objects.filter(received_at__lt=now - CONTENT_KEPT)
    old.filter(verdict=MailVerdict.WAITING).update(verdict=MailVerdict.FAILED, handled_at=now)
    old.exclude(content="", results="").update(content="", results="")
    InboundMail.objects.filter(received_at__lt=now - MAIL_KEPT).delete()
    MailCount.objects.filter(day__lt=(now - counts.RETENTION).date()).delete()


@exports("mail")
def exported(user: User) -> list[dict[str, Any]]:
    """Export a user's received messages, without what the user wrote, because we delete it."""
    known = InboundMail.objects.filter(user=user).order_by("id")
    return [
        dict(row)
        for row in known.values("notification__match", "purpose", "envelope_from", "size", "verdict", "received_at")
    ]
