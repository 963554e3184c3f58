"""Whether a notice still matters, and whether now is the time, right before it is sent."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import NoticeDelivery
from games.mail import preferences
from games.mail.occasion import Occasion
from games.models import Notice, Phase, Silence
from games.models.notice import Delivery, NoticeKind


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

ABOUT_ACCOUNTS = {NoticeKind.CONFIRM_ADDRESS, NoticeKind.RESET_PASSWORD, NoticeKind.ACCOUNT_CHANGED}
ASKS_TO_ACT = {NoticeKind.YOUR_TURN, NoticeKind.REMINDER}
COLLECTED = {
    NoticeKind.YOUR_TURN,
    NoticeKind.NEWS,
    NoticeKind.MESSAGE,
    NoticeKind.DEADLINE_PASSED,
    NoticeKind.MATCH_STARTED,
    NoticeKind.MATCH_OVER,
}
# For those who want one mail until they visit: what makes each of these needless.
TOLD_BY = {
    NoticeKind.YOUR_TURN: ASKS_TO_ACT,
    NoticeKind.NEWS: set(NoticeKind),
    NoticeKind.MESSAGE: set(NoticeKind),
    NoticeKind.DEADLINE_PASSED: set(NoticeKind),
}


def judge(occasion: Occasion) -> Verdict:
    if occasion.notice.kind in ABOUT_ACCOUNTS:
        return Send()
    if why := reason_against(occasion):
        return Suppress(why)
    if occasion.user is None:
        return Send()
    digest_at = preferences.digest_time(occasion.user, occasion.now)
    if digest_at and occasion.notice.kind in COLLECTED and not ends_before(occasion, digest_at):
        return Gather(digest_at)
    if until := preferences.quiet_until(occasion.user, occasion.now):
        return Wait(until, "These are your quiet hours.")
    return Send()


def ends_before(occasion: Occasion, moment: datetime) -> bool:
    """Whether the player's time to act would be over before the digest comes."""
    deadline = occasion.seat.deadline if occasion.seat else None
    return occasion.notice.kind in ASKS_TO_ACT and deadline is not None and deadline <= moment


def reason_against(occasion: Occasion) -> str:
    return reason_to_be_silent(occasion) or reason_it_is_too_late(occasion) or reason_it_is_known(occasion)


def reason_to_be_silent(occasion: Occasion) -> str:
    notice, user, seat = occasion.notice, occasion.user, occasion.seat
    if user is None:
        silenced = Silence.objects.filter(email=occasion.address).exists()
        return "This address wants no mail from us." if silenced else ""
    if not user.is_active:
        return "The account is closed."
    if not user.email_confirmed_at:
        return "The address is not confirmed."
    if user.notice_delivery == NoticeDelivery.NEVER:
        return "You asked for no mail."
    if seat and seat.is_muted:
        return "You muted this match."
    if notice.kind == NoticeKind.REMINDER and not user.remind_at:
        return "You asked for no reminders."
    return ""


def reason_it_is_too_late(occasion: Occasion) -> str:
    """No "your turn" to somebody who has moved meanwhile, no news to somebody who has seen it."""
    notice, seat = occasion.notice, occasion.seat
    if notice.seat is not None and seat is None:
        return "You do not play in this match any more."
    if notice.kind in ASKS_TO_ACT and seat:
        if occasion.match_table.match.phase != Phase.RUNNING:
            return "The match is over."
        if seat.asked_turn != notice.turn:
            return "It is not your turn any more."
    if notice.kind == NoticeKind.NEWS and seat and seat.visited_at and seat.visited_at > notice.owed_at:
        return "You have seen it."
    return ""


def reason_it_is_known(occasion: Occasion) -> str:
    """For those who want one mail until they visit. A visit is to look or act in that match, nowhere else."""
    notice, seat, user = occasion.notice, occasion.seat, occasion.user
    told_by = TOLD_BY.get(NoticeKind(notice.kind))
    if not (user and seat and told_by and user.notice_delivery == NoticeDelivery.UNTIL_VISIT):
        return ""
    sent = Notice.objects.filter(match=notice.match_id, user=user, delivery=Delivery.SENT, kind__in=told_by)
    if seat.visited_at:
        sent = sent.filter(sent_at__gt=seat.visited_at)
    return "You have a mail about this match, and have not been there since." if sent.exists() else ""
