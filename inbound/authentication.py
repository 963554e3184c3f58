"""Whether a reply is what it seems to be: from a person, for a seat that is theirs, by an address not used before."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from core.rates import Rate
from games.models import Seat
from games.selectors.loading import LoadedMatch
from inbound.models import InboundMail, MailVerdict
from inbound.parsing import Reply
from notifications.reply_addresses import is_mark_of

MISTAKES = (MailVerdict.REFUSED, MailVerdict.NO_COMMANDS)
IDLE = dict.fromkeys(MISTAKES, ("mistake", MISTAKES)) | {MailVerdict.ASKED: ("question", (MailVerdict.ASKED,))}
"""By which rate replies are answered that changed nothing, and which of them count together."""


@dataclass(frozen=True)
class Genuine:
    """Who wrote it, and where they sit."""

    user: User
    loaded: LoadedMatch
    seat: Seat


def judge(mail: InboundMail, reply: Reply, loaded: LoadedMatch | None) -> Genuine | MailVerdict:
    """The match is locked, so of two messages to one address the second sees what the first did."""
    user, seat = mail.user, own_seat(mail, loaded)
    if reply.automatic:
        return MailVerdict.AUTOMATIC
    if not (user and loaded and seat and user.is_active and user.email_confirmed_at):
        return MailVerdict.FOREIGN
    if mail.reader and not is_mark_of(mail.reader, user.email):
        return MailVerdict.FOREIGN
    if user.checks_sender and reply.sender != user.email:
        return MailVerdict.WRONG_SENDER
    if InboundMail.objects.filter(notification=mail.notification_id, has_moved=True).exists():
        return MailVerdict.REPLAYED
    if too_many("replier", InboundMail.objects.filter(user=user).exclude(pk=mail.pk), mail.received_at):
        return MailVerdict.FLOOD
    return Genuine(user, loaded, seat)


def own_seat(mail: InboundMail, loaded: LoadedMatch | None) -> Seat | None:
    """The seat the notification was for, if its player still sits there; before seats are drawn, any seat of theirs."""
    seat = loaded.seat_of(mail.user_id) if loaded else None
    return seat if seat and mail.notification.seat in (None, seat.number) else None


def is_answered_too_often(mail: InboundMail) -> bool:
    """It may be a program that answers our answers, and does not say that it is one."""
    if mail.verdict not in IDLE:
        return False
    scope, alike = IDLE[MailVerdict(mail.verdict)]
    return too_many(scope, InboundMail.objects.filter(user=mail.user_id, verdict__in=alike), timezone.now())


def too_many(scope: str, mails: QuerySet[InboundMail], until: datetime) -> bool:
    rate: Rate = settings.RATES[scope]
    within = mails.filter(received_at__gt=until - timedelta(seconds=rate.seconds), received_at__lte=until)
    return within.count() >= rate.count
