"""Whether a notification still matters, and whether now is the time, right before it is sent."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from accounts.models import MailFrequency, User
from games.models import Phase, Seat
from notifications.context import Context
from notifications.models import Delivery, Notification, NotificationKind, UnsubscribedAddress


@dataclass(frozen=True)
class Send:
    pass


@dataclass(frozen=True)
class Suppress:
    why: str


@dataclass(frozen=True)
class Wait:
    until: datetime
    why: str


@dataclass(frozen=True)
class Gather:
    """It goes into the digest of that time."""

    at: datetime


Decision = Send | Suppress | Wait | Gather

ABOUT_ACCOUNTS = {
    NotificationKind.CONFIRM_ADDRESS,
    NotificationKind.RESET_PASSWORD,
    NotificationKind.ACCOUNT_CHANGED,
    NotificationKind.WEBHOOK_OFF,
    NotificationKind.TEST_MAIL,
}
# Asked for by whoever waits for it, and the only way to find out whether mail arrives again.
ALWAYS_TRIED = {NotificationKind.CONFIRM_ADDRESS, NotificationKind.RESET_PASSWORD, NotificationKind.TEST_MAIL}
ASKS_TO_ACT = {NotificationKind.YOUR_TURN, NotificationKind.REMINDER}
COLLECTED = {
    NotificationKind.YOUR_TURN,
    NotificationKind.NEWS,
    NotificationKind.MESSAGE,
    NotificationKind.DEADLINE_PASSED,
    NotificationKind.MATCH_STARTED,
    NotificationKind.MATCH_OVER,
}
REACHED = (Delivery.SENT, Delivery.DELIVERED)
DAILY_AT = time(8)
"""The hour of the daily digest; within quiet hours it waits for their end."""
A_MOMENT = timedelta(seconds=30)
"""Until another attempt, which sends right now, has noted what it sent."""
# For those who want one mail until they visit: what makes each of these needless.
UNASKED = set(NotificationKind) - {NotificationKind.ANSWER}
TOLD_BY = {
    NotificationKind.YOUR_TURN: ASKS_TO_ACT,
    NotificationKind.NEWS: UNASKED,
    NotificationKind.MESSAGE: UNASKED,
    NotificationKind.DEADLINE_PASSED: UNASKED,
}


def judge(context: Context) -> Decision:
    if context.notification.kind in ALWAYS_TRIED:
        return Send()
    decision = judge_by_wishes(context)
    return judge_by_address(context) if isinstance(decision, Send) else decision


def judge_by_address(context: Context) -> Decision:
    """Mail that came back stops further mail, or makes it wait."""
    trouble = context.trouble
    if trouble and trouble.is_stopped:
        return Suppress("Mail to this address comes back.")
    if trouble and trouble.quiet_until and trouble.quiet_until > context.now:
        return Wait(trouble.quiet_until, "Mail to this address comes back at the moment.")
    return Send()


def judge_by_wishes(context: Context) -> Decision:
    if context.notification.kind in ABOUT_ACCOUNTS:
        return Send()
    if context.notification.kind == NotificationKind.ANSWER:
        return judge_answer(context)
    if why := reason_against(context):
        return Suppress(why)
    if context.user is None:
        return Send()
    if others_tell_it(context):
        return Wait(context.now + A_MOMENT, "Another mail about this match is on its way.")
    digest_at = digest_time(context.user, context.now)
    if digest_at and context.notification.kind in COLLECTED and not ends_before(context, context.user, digest_at):
        return Gather(digest_at)
    if until := quiet_until(context.user, context.now):
        return Wait(until, "These are your quiet hours.")
    return Send()


def judge_answer(context: Context) -> Decision:
    """Whoever writes to us wants to hear from us, whatever else they asked for."""
    why = reason_not_to_write(context) or reason_it_is_too_late(context)
    return Suppress(why) if why else Send()


def ends_before(context: Context, user: User, digest_at: datetime) -> bool:
    """Whether the player's time to act would be over before the digest comes, which waits for quiet hours to end."""
    deadline = context.seat.deadline if context.seat else None
    if deadline is None or context.notification.kind not in ASKS_TO_ACT:
        return False
    return deadline <= (quiet_until(user, digest_at) or digest_at)


def reason_against(context: Context) -> str:
    return reason_to_be_silent(context) or reason_it_is_too_late(context) or reason_it_is_known(context)


def reason_to_be_silent(context: Context) -> str:
    notification, user, seat = context.notification, context.user, context.seat
    if (why := reason_not_to_write(context)) or user is None:
        return why
    if user.mail_frequency == MailFrequency.NEVER:
        return "You asked for no mail."
    if context.is_invitation and not user.invitations_by_mail:
        return "You asked for no invitations by mail."
    if seat and seat.is_muted:
        return "You muted this match."
    if notification.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You asked for no reminders."
    return ""


def reason_not_to_write(context: Context) -> str:
    user = context.user
    if user is None:
        silenced = UnsubscribedAddress.objects.filter(email=context.address).exists()
        return "This address wants no mail from us." if silenced else ""
    if not user.is_active:
        return "The account is closed."
    return "" if user.email_confirmed_at else "The address is not confirmed."


def reason_it_is_too_late(context: Context) -> str:
    """No "your turn" to somebody who has moved meanwhile, no news to somebody who has seen it."""
    notification, seat = context.notification, context.seat
    if seat is None and (notification.seat is not None or notification.kind == NotificationKind.MESSAGE):
        return "You do not play in this match any more."
    if notification.kind in ASKS_TO_ACT and seat:
        if context.loaded.match.phase != Phase.RUNNING:
            return "The match is over."
        if seat.asked_turn != notification.turn:
            return "It is not your turn any more."
    if notification.kind == NotificationKind.NEWS and seat and has_seen(seat, context):
        return "You have seen it."
    return ""


def has_seen(seat: Seat, context: Context) -> bool:
    """Whether the player looked at the match after it happened: by what they saw, as a visit takes a while and the
    news may come in the middle of it."""
    since = context.events[0].number - 1 if context.events else 0
    happened = [event.number for event in context.events if event.turn == context.notification.turn]
    return seat.visited_at is not None and seat.last_seen >= max(happened, default=since)


def reason_it_is_known(context: Context) -> str:
    """For those who want one mail until they visit. A visit is to look or act in that match, nowhere else."""
    if makes_needless(context) and (is_just_told(context) or told_since_visit(context).exists()):
        return "You have a mail about this match, and have not been there since."
    return ""


def is_just_told(context: Context) -> bool:
    who = (context.notification.match_id, context.notification.user_id)
    told = {sent.kind for sent in context.just_sent if (sent.match_id, sent.user_id) == who}
    return not told.isdisjoint(makes_needless(context))


def told_since_visit(context: Context) -> QuerySet[Notification]:
    """What was sent later than now was sent when the clock was ahead, and says nothing."""
    sent, seat = alike(context).filter(delivery__in=REACHED, sent_at__lte=context.now), context.seat
    return sent.filter(sent_at__gt=seat.visited_at) if seat and seat.visited_at else sent


def others_tell_it(context: Context) -> bool:
    """Whether another attempt sends such a mail at this moment. Of two that meet, at least one sees the other, since
    both were claimed before either looked; what fails there is still told here, a moment later."""
    if not makes_needless(context):
        return False
    sending = alike(context).filter(delivery=Delivery.SENDING, due_at__gt=context.now)
    return sending.exclude(claim=context.notification.claim).exists()


def alike(context: Context) -> QuerySet[Notification]:
    notification, kinds = context.notification, makes_needless(context)
    return Notification.objects.filter(match=notification.match_id, user=context.user, kind__in=kinds)


def makes_needless(context: Context) -> set[NotificationKind]:
    """The kinds of mail after which this one need not be told."""
    user = context.user
    if not (user and context.seat and user.mail_frequency == MailFrequency.UNTIL_VISIT):
        return set()
    return TOLD_BY.get(NotificationKind(context.notification.kind), set())


def quiet_until(user: User, now: datetime) -> datetime | None:
    """When the quiet hours end that last now; None outside them. They may last over midnight."""
    if user.quiet_from is None or user.quiet_until is None:
        return None
    local = now.astimezone(ZoneInfo(user.time_zone))
    for day in (local.date() - timedelta(days=1), local.date()):
        start = datetime.combine(day, user.quiet_from, local.tzinfo)
        last_day = day + timedelta(days=user.quiet_until <= user.quiet_from)
        end = datetime.combine(last_day, user.quiet_until, local.tzinfo)
        if start.timestamp() <= now.timestamp() < end.timestamp():
            return end
    return None


def digest_time(user: User, now: datetime) -> datetime | None:
    """When the next digest is due; None for those who want none."""
    local = now.astimezone(ZoneInfo(user.time_zone))
    if user.mail_frequency == MailFrequency.HOURLY:
        return local.replace(minute=0, second=0, microsecond=0).astimezone(UTC) + timedelta(hours=1)
    if user.mail_frequency == MailFrequency.DAILY:
        today = datetime.combine(local.date(), DAILY_AT, local.tzinfo)
        return today if now < today else datetime.combine(local.date() + timedelta(days=1), DAILY_AT, local.tzinfo)
    return None
