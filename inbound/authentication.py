"""Check that a reply is genuine: written by a person, for their own seat, to an address that hasn't been used yet."""

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
"""For replies that changed nothing: the rate limit for answering them, and the verdicts that share this limit."""


@dataclass(frozen=True)
class Genuine:
    """The author of a genuine reply and their seat."""

    user: User
    loaded: LoadedMatch
    seat: Seat


def authenticate(mail: InboundMail, reply: Reply, loaded: LoadedMatch | None) -> Genuine | MailVerdict:
    """Return the author and their seat, or the verdict on a reply that isn't genuine. The match is locked, so of two
    messages to one address, the second sees what the first one did."""
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
    """Return the notification's seat if the user still has it. Before seats are drawn, return any seat of the user."""
    seat = loaded.seat_of(mail.user_id) if loaded else None
    return seat if seat and mail.notification.seat in (None, seat.number) else None


def is_answered_too_often(mail: InboundMail) -> bool:
    """Stop mail loops with programs that answer our answers without marking their email as automatic."""
    if mail.verdict not in IDLE:
        return False
    scope, alike = IDLE[MailVerdict(mail.verdict)]
    return too_many(scope, InboundMail.objects.filter(user=mail.user_id, verdict__in=alike), timezone.now())


def too_many(scope: str, mails: QuerySet[InboundMail], until: datetime) -> bool:
    rate: Rate = settings.RATES[scope]
    within = mails.filter(received_at__gt=until - timedelta(seconds=rate.seconds), received_at__lte=until)
    return within.count() >= rate.count
