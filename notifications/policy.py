"""Decide right before sending whether a notification still matters and whether to send it now."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from accounts.models import MailFrequency, User
from games.models import Phase, Seat
from notifications import archive
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
class AddToDigest:
    """The notification is added to the digest that is due at this time."""

    at: datetime


Decision = Send | Suppress | Wait | AddToDigest

REGARDLESS_OF_PREFERENCES = {
    NotificationKind.CONFIRM_ADDRESS,
    NotificationKind.RESET_PASSWORD,
    NotificationKind.LOGIN_LINK,
    NotificationKind.MATCH_LINK,
    NotificationKind.ACCOUNT_CHANGED,
    NotificationKind.WEBHOOK_OFF,
    NotificationKind.TEST_MAIL,
}
# Users are waiting for these emails, which also show whether mail gets through again.
ALWAYS_TRIED = {
    NotificationKind.CONFIRM_ADDRESS,
    NotificationKind.RESET_PASSWORD,
    NotificationKind.LOGIN_LINK,
    NotificationKind.MATCH_LINK,
    NotificationKind.TEST_MAIL,
}
ASKS_TO_ACT = {NotificationKind.YOUR_TURN, NotificationKind.REMINDER}
COLLECTED = {
    NotificationKind.YOUR_TURN,
    NotificationKind.NEWS,
    NotificationKind.MESSAGE,
    NotificationKind.DEADLINE_PASSED,
    NotificationKind.RESIGNED,
    NotificationKind.MATCH_STARTED,
    NotificationKind.MATCH_OVER,
}
REACHED = (Delivery.SENT, Delivery.DELIVERED)
DAILY_AT = time(8)
"""The hour at which the daily digest is due. If that is during quiet hours, the digest is sent afterwards."""
A_MOMENT = timedelta(seconds=30)
"""How long to wait for another worker to record what it is sending."""
# For users who want only one email until they visit the match: the kinds that make each kind of email unnecessary.
UNASKED = set(NotificationKind) - {NotificationKind.ANSWER}
TOLD_BY = {
    NotificationKind.YOUR_TURN: ASKS_TO_ACT,
    NotificationKind.NEWS: UNASKED,
    NotificationKind.MESSAGE: UNASKED,
    NotificationKind.DEADLINE_PASSED: UNASKED,
    NotificationKind.RESIGNED: UNASKED,
}


def decide(context: Context) -> Decision:
    if context.notification.kind in ALWAYS_TRIED:
        return Send()
    decision = decide_by_preferences(context)
    return decide_by_address(context) if isinstance(decision, Send) else decision


def decide_by_address(context: Context) -> Decision:
    """Stop or delay mail to an address that bounces."""
    address_record = context.address_record
    if address_record and address_record.is_stopped:
        return Suppress("Mail to this address bounced.")
    if address_record and address_record.quiet_until and address_record.quiet_until > context.now:
        return Wait(address_record.quiet_until, "Mail to this address is bouncing.")
    return Send()


def decide_by_preferences(context: Context) -> Decision:
    if context.notification.kind in REGARDLESS_OF_PREFERENCES:
        return Send()
    if context.notification.kind == NotificationKind.ANSWER:
        return decide_answer(context)
    if why := reason_against(context):
        return Suppress(why)
    if context.user is None:
        return Send()
    if another_is_being_sent(context):
        return Wait(context.now + A_MOMENT, "Another email about this match is being sent.")
    digest_at = digest_time(context.user, context.now)
    if digest_at and context.notification.kind in COLLECTED and not ends_before(context, context.user, digest_at):
        return AddToDigest(digest_at)
    if until := quiet_until(context.user, context.now):
        return Wait(until, "Waiting for the end of your quiet hours.")
    return Send()


def decide_answer(context: Context) -> Decision:
    """Answer players who write to us, no matter what their preferences are."""
    why = reason_by_account(context) or reason_if_outdated(context) or reason_if_followed(context)
    return Suppress(why) if why else Send()


def reason_if_followed(context: Context) -> str:
    """Return a reason not to send a routine confirmation, or an empty string if there is none.

    The confirmation is unnecessary if another email has shown the player the board since then.
    """
    notification = context.notification
    if not notification.data.get("routine"):
        return ""
    later = Notification.objects.filter(match=notification.match_id, user=context.user, delivery__in=REACHED)
    has_followed = later.filter(created_at__gte=notification.created_at).exclude(pk=notification.pk).exists()
    has_followed = has_followed or any(one.created_at >= notification.created_at for one in archived(context))
    just = [sent for sent in context.just_sent if sent.match_id == notification.match_id]
    has_followed = has_followed or any(sent.user_id == notification.user_id for sent in just)
    return "A newer email about this match was sent." if has_followed else ""


def ends_before(context: Context, user: User, digest_at: datetime) -> bool:
    """Return whether the player's deadline comes before the digest, which is not sent during quiet hours."""
    deadline = context.seat.deadline if context.seat else None
    if deadline is None or context.notification.kind not in ASKS_TO_ACT:
        return False
    return deadline <= (quiet_until(user, digest_at) or digest_at)


def reason_against(context: Context) -> str:
    return reason_by_preferences(context) or reason_if_outdated(context) or reason_if_already_told(context)


def reason_by_preferences(context: Context) -> str:
    notification, user, seat = context.notification, context.user, context.seat
    if (why := reason_by_account(context)) or user is None:
        return why
    if user.mail_frequency == MailFrequency.NEVER:
        return "You turned off emails."
    if context.is_invitation and not user.invitations_by_mail:
        return "You turned off invitations by email."
    if seat and seat.is_muted:
        return "You muted this match."
    if notification.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You turned off reminders."
    return ""


def reason_by_account(context: Context) -> str:
    user = context.user
    if user is None:
        unsubscribed = UnsubscribedAddress.objects.filter(email=context.address).exists()
        return "This address is unsubscribed." if unsubscribed else ""
    if not user.is_active:
        return "The account is closed."
    return "" if user.email_confirmed_at else "The address isn't confirmed."


def reason_if_outdated(context: Context) -> str:
    """Return why the notification no longer matters, for example because the player has moved or has seen the news."""
    notification, seat = context.notification, context.seat
    if seat is None and (notification.seat is not None or notification.kind == NotificationKind.MESSAGE):
        return "You're no longer in this match."
    if notification.kind in ASKS_TO_ACT and seat:
        if context.loaded.match.phase != Phase.RUNNING:
            return "The match is over."
        if seat.asked_turn != notification.turn:
            return "It's no longer your turn."
    if notification.kind == NotificationKind.DEADLINE_PASSED and context.is_told_with_turn:
        return "The email about your turn already says this."
    if notification.kind == NotificationKind.NEWS and seat and has_seen(seat, context):
        return "You've already seen it."
    return ""


def has_seen(seat: Seat, context: Context) -> bool:
    """Return whether the player has seen these events.

    The time of the visit isn't enough to know that, because news can arrive during a visit.
    """
    since = context.events[0].number - 1 if context.events else 0
    happened = [event.number for event in context.events if event.turn == context.notification.turn]
    return seat.visited_at is not None and seat.last_seen >= max(happened, default=since)


def reason_if_already_told(context: Context) -> str:
    """Return why this email is unnecessary for a user who wants only one email until their next visit."""
    if made_unnecessary_by(context) and (was_just_told(context) or was_told_since_visit(context)):
        return "You already got an email about this match and haven't visited it since."
    return ""


def was_just_told(context: Context) -> bool:
    who = (context.notification.match_id, context.notification.user_id)
    told = {sent.kind for sent in context.just_sent if (sent.match_id, sent.user_id) == who}
    return not told.isdisjoint(made_unnecessary_by(context))


def was_told_since_visit(context: Context) -> bool:
    """Return whether such an email was sent since the last visit.

    Emails that were sent while the clock was ahead, and so seem to be from the future, do not count.
    """
    sent, seat = alike(context).filter(delivery__in=REACHED, sent_at__lte=context.now), context.seat
    since = seat.visited_at if seat else None
    if (sent.filter(sent_at__gt=since) if since else sent).exists():
        return True
    kinds = made_unnecessary_by(context)
    times = [one.sent_at for one in archived(context) if one.kind in kinds and one.sent_at]
    return any(at <= context.now and (since is None or at > since) for at in times)


def archived(context: Context) -> list[Notification]:
    """Return the emails about this match that were sent to this user and have been archived since."""
    match = context.match_if_any.match if context.match_if_any else None
    return [one for one in archive.about(match, context.user) if one.delivery in REACHED]


def another_is_being_sent(context: Context) -> bool:
    """Return whether another worker is sending such an email right now.

    Both workers claim before either of them checks, so at least one of them sees the other. If the other email fails,
    this one is sent a moment later.
    """
    if not made_unnecessary_by(context):
        return False
    sending = alike(context).filter(delivery=Delivery.SENDING, due_at__gt=context.now)
    return sending.exclude(claim=context.notification.claim).exists()


def alike(context: Context) -> QuerySet[Notification]:
    notification, kinds = context.notification, made_unnecessary_by(context)
    return Notification.objects.filter(match=notification.match_id, user=context.user, kind__in=kinds)


def made_unnecessary_by(context: Context) -> set[NotificationKind]:
    """Return the kinds of mail that make this one unnecessary."""
    user = context.user
    if not (user and context.seat and user.mail_frequency == MailFrequency.UNTIL_VISIT):
        return set()
    return TOLD_BY.get(NotificationKind(context.notification.kind), set())


def quiet_until(user: User, now: datetime) -> datetime | None:
    """Return the end of the current quiet hours, which may extend past midnight.

    Outside of quiet hours, return None.
    """
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
    """Return when the user's next digest is due, or None if they don't get digests."""
    local = now.astimezone(ZoneInfo(user.time_zone))
    if user.mail_frequency == MailFrequency.HOURLY:
        return local.replace(minute=0, second=0, microsecond=0).astimezone(UTC) + timedelta(hours=1)
    if user.mail_frequency == MailFrequency.DAILY:
        today = datetime.combine(local.date(), DAILY_AT, local.tzinfo)
        return today if now < today else datetime.combine(local.date() + timedelta(days=1), DAILY_AT, local.tzinfo)
    return None
