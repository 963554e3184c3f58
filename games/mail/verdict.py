"""Whether a notice still matters, right before it is sent."""

from dataclasses import dataclass
from datetime import datetime

from games.mail.occasion import Occasion
from games.models import Phase
from games.models.notice import NoticeKind


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

ASKS_TO_ACT = {NoticeKind.YOUR_TURN, NoticeKind.REMINDER}
FOR_UNCONFIRMED = {NoticeKind.CONFIRM_ADDRESS, NoticeKind.RESET_PASSWORD}


def judge(occasion: Occasion) -> Verdict:
    why = reason_against(occasion)
    return Suppress(why) if why else Send()


def reason_against(occasion: Occasion) -> str:
    notice, user, seat = occasion.notice, occasion.user, occasion.seat
    if user and not user.is_active:
        return "The account is closed."
    if user and not user.email_confirmed_at and notice.kind not in FOR_UNCONFIRMED:
        return "The address is not confirmed."
    if seat and seat.is_muted:
        return "You muted this match."
    if notice.kind in ASKS_TO_ACT:
        return reason_not_to_ask(occasion)
    return ""


def reason_not_to_ask(occasion: Occasion) -> str:
    seat, match = occasion.seat, occasion.match_table.match
    if match.phase != Phase.RUNNING:
        return "The match is over."
    if seat is None or seat.asked_turn != occasion.notice.turn:
        return "It is not your turn any more."
    return ""
