"""Check that a reply is genuine: a person wrote it for their own seat, to an address that is still valid."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from core.rates import Rate
from games.models import Seat
from games.selectors.loading import LoadedMatch
from inbound.models import InboundMail, MailResult
from inbound.parsing import Reply
from notifications.reply_addresses import is_mark_of

MISTAKES = (MailResult.REFUSED, MailResult.NO_COMMANDS)
IDLE = dict.fromkeys(MISTAKES, ("mistake", MISTAKES)) | {MailResult.ASKED: ("question", (MailResult.ASKED,))}
"""For each result that changed nothing, the rate limit for answering it and the results that share this limit."""

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Genuine:
    """The author of a genuine reply and their seat."""

    user: User
    loaded: LoadedMatch
    seat: Seat
    is_over_limit: bool = False
    """Whether the author has sent too many emails for this one to be acted on."""


def authenticate(mail: InboundMail, reply: Reply, loaded: LoadedMatch | None) -> Genuine | MailResult:
    """Return the author and their seat, or the reason why the reply isn't genuine.

    The match is locked, so that the second of two messages to the same address sees the effects of the first.
    """
    user, seat = mail.user, own_seat(mail, loaded)
    if reply.automatic:
        return MailResult.AUTOMATIC
    if not (user and loaded and seat and user.is_active and user.email_confirmed_at):
        return MailResult.FOREIGN
    if mail.reader and not is_mark_of(mail.reader, user.email):
        return MailResult.FOREIGN
    if user.checks_sender and reply.sender != user.email:
        return MailResult.WRONG_SENDER
    return Genuine(user, loaded, seat, is_over_limit(mail))


def is_over_limit(mail: InboundMail) -> bool:
    others = by_same_author(mail).exclude(pk=mail.pk)
    to_the_same = others.filter(notification=mail.notification_id)
    return too_many("replier", others, mail.received_at) or too_many("reply", to_the_same, mail.received_at)


def by_same_author(mail: InboundMail) -> QuerySet[InboundMail]:
    """Return the author's emails. If the author has no account, return all replies to the same email."""
    author = {"user": mail.user_id} if mail.user_id else {"notification": mail.notification_id}
    return InboundMail.objects.filter(**author)


def own_seat(mail: InboundMail, loaded: LoadedMatch | None) -> Seat | None:
    """Return the notification's seat if the user still has it. Before seats are drawn, return any seat they have."""
    seat = loaded.seat_of(mail.user_id) if loaded else None
    return seat if seat and mail.notification.seat in (None, seat.number) else None


def is_answered_too_often(mail: InboundMail) -> bool:
    """Return whether to stop answering.

    This ends mail loops with programs that answer our answers without marking their email as automated.
    """
    if mail.result not in IDLE:
        return False
    scope, alike = IDLE[MailResult(mail.result)]
    return too_many(scope, by_same_author(mail).filter(result__in=alike), timezone.now())


def was_told_of_limit(mail: InboundMail) -> bool:
    """Return whether the author was already told about a limit in the last day."""
    told = by_same_author(mail).filter(result=MailResult.FLOOD).exclude(results="")
    return told.filter(received_at__gt=mail.received_at - A_DAY).exists()


def too_many(scope: str, mails: QuerySet[InboundMail], until: datetime) -> bool:
    rate: Rate = settings.RATES[scope]
    within = mails.filter(received_at__gt=until - timedelta(seconds=rate.seconds), received_at__lte=until)
    return within.count() >= rate.count
