"""Whether a notice still matters, and whether now is the time, right before it is sent."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.models import NoticeDelivery, User
from games.models import Phase, Seat
from notifications import preferences
from notifications.context import Context
from notifications.models import Notification, UnsubscribedAddress
from notifications.models.notification import Delivery, NotificationKind


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


Verdict = Send | Suppress | Wait | Gather

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


def judge(occasion: Context) -> Verdict:
    if occasion.notice.kind in ALWAYS_TRIED:
        return Send()
    verdict = judge_by_wishes(occasion)
    return judge_by_address(occasion) if isinstance(verdict, Send) else verdict


def judge_by_address(occasion: Context) -> Verdict:
    """Mail that came back stops further mail, or makes it wait."""
    trouble = occasion.trouble
    if trouble and trouble.is_stopped:
        return Suppress("Mail to this address comes back.")
    if trouble and trouble.quiet_until and trouble.quiet_until > occasion.now:
        return Wait(trouble.quiet_until, "Mail to this address comes back at the moment.")
    return Send()


def judge_by_wishes(occasion: Context) -> Verdict:
    if occasion.notice.kind in ABOUT_ACCOUNTS:
        return Send()
    if occasion.notice.kind == NotificationKind.ANSWER:
        return judge_answer(occasion)
    if why := reason_against(occasion):
        return Suppress(why)
    if occasion.user is None:
        return Send()
    if others_tell_it(occasion):
        return Wait(occasion.now + A_MOMENT, "Another mail about this match is on its way.")
    digest_at = preferences.digest_time(occasion.user, occasion.now)
    if digest_at and occasion.notice.kind in COLLECTED and not ends_before(occasion, occasion.user, digest_at):
        return Gather(digest_at)
    if until := preferences.quiet_until(occasion.user, occasion.now):
        return Wait(until, "These are your quiet hours.")
    return Send()


def judge_answer(occasion: Context) -> Verdict:
    """Whoever writes to us wants to hear from us, whatever else they asked for."""
    why = reason_not_to_write(occasion) or reason_it_is_too_late(occasion)
    return Suppress(why) if why else Send()


def ends_before(occasion: Context, user: User, digest_at: datetime) -> bool:
    """Whether the player's time to act would be over before the digest comes, which waits for quiet hours to end."""
    deadline = occasion.seat.deadline if occasion.seat else None
    if deadline is None or occasion.notice.kind not in ASKS_TO_ACT:
        return False
    return deadline <= (preferences.quiet_until(user, digest_at) or digest_at)


def reason_against(occasion: Context) -> str:
    return reason_to_be_silent(occasion) or reason_it_is_too_late(occasion) or reason_it_is_known(occasion)


def reason_to_be_silent(occasion: Context) -> str:
    notice, user, seat = occasion.notice, occasion.user, occasion.seat
    if (why := reason_not_to_write(occasion)) or user is None:
        return why
    if user.notice_delivery == NoticeDelivery.NEVER:
        return "You asked for no mail."
    if occasion.is_invitation and not user.invitations_by_mail:
        return "You asked for no invitations by mail."
    if seat and seat.is_muted:
        return "You muted this match."
    if notice.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You asked for no reminders."
    return ""


def reason_not_to_write(occasion: Context) -> str:
    user = occasion.user
    if user is None:
        silenced = UnsubscribedAddress.objects.filter(email=occasion.address).exists()
        return "This address wants no mail from us." if silenced else ""
    if not user.is_active:
        return "The account is closed."
    return "" if user.email_confirmed_at else "The address is not confirmed."


def reason_it_is_too_late(occasion: Context) -> str:
    """No "your turn" to somebody who has moved meanwhile, no news to somebody who has seen it."""
    notice, seat = occasion.notice, occasion.seat
    if seat is None and (notice.seat is not None or notice.kind == NotificationKind.MESSAGE):
        return "You do not play in this match any more."
    if notice.kind in ASKS_TO_ACT and seat:
        if occasion.match_table.match.phase != Phase.RUNNING:
            return "The match is over."
        if seat.asked_turn != notice.turn:
            return "It is not your turn any more."
    if notice.kind == NotificationKind.NEWS and seat and has_seen(seat, occasion):
        return "You have seen it."
    return ""


def has_seen(seat: Seat, occasion: Context) -> bool:
    """Whether the player looked at the match after it happened: by what they saw, as a visit takes a while and the
    news may come in the middle of it."""
    since = occasion.events[0].number - 1 if occasion.events else 0
    happened = [event.number for event in occasion.events if event.turn == occasion.notice.turn]
    return seat.visited_at is not None and seat.last_seen >= max(happened, default=since)


def reason_it_is_known(occasion: Context) -> str:
    """For those who want one mail until they visit. A visit is to look or act in that match, nowhere else."""
    if makes_needless(occasion) and (is_just_told(occasion) or told_since_visit(occasion).exists()):
        return "You have a mail about this match, and have not been there since."
    return ""


def is_just_told(occasion: Context) -> bool:
    who = (occasion.notice.match_id, occasion.notice.user_id)
    told = {sent.kind for sent in occasion.just_sent if (sent.match_id, sent.user_id) == who}
    return not told.isdisjoint(makes_needless(occasion))


def told_since_visit(occasion: Context) -> QuerySet[Notification]:
    """What was sent later than now was sent when the clock was ahead, and says nothing."""
    sent, seat = alike(occasion).filter(delivery__in=REACHED, sent_at__lte=occasion.now), occasion.seat
    return sent.filter(sent_at__gt=seat.visited_at) if seat and seat.visited_at else sent


def others_tell_it(occasion: Context) -> bool:
    """Whether another attempt sends such a mail at this moment. Of two that meet, at least one sees the other, since
    both were claimed before either looked; what fails there is still told here, a moment later."""
    if not makes_needless(occasion):
        return False
    sending = alike(occasion).filter(delivery=Delivery.SENDING, due_at__gt=occasion.now)
    return sending.exclude(claim=occasion.notice.claim).exists()


def alike(occasion: Context) -> QuerySet[Notification]:
    notice, kinds = occasion.notice, makes_needless(occasion)
    return Notification.objects.filter(match=notice.match_id, user=occasion.user, kind__in=kinds)


def makes_needless(occasion: Context) -> set[NotificationKind]:
    """The kinds of mail after which this one need not be told."""
    user = occasion.user
    if not (user and occasion.seat and user.notice_delivery == NoticeDelivery.UNTIL_VISIT):
        return set()
    return TOLD_BY.get(NotificationKind(occasion.notice.kind), set())
