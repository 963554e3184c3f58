"""Whether a call is still worth making, right before it is made.

A webhook is a channel of its own: how often mail comes is no matter for it. What is too late for a mail is too late for
it as well, a muted match is silent, and in quiet hours it waits.
"""

from notifications import preferences
from notifications.context import Context
from notifications.models import WebhookCall
from notifications.models.notification import NotificationKind
from notifications.policy import Send, Suppress, Wait, reason_it_is_too_late

Verdict = Send | Suppress | Wait


def judge(call: WebhookCall, occasion: Context) -> Verdict:
    if why := reason_to_be_silent(call, occasion) or reason_it_is_too_late(occasion):
        return Suppress(why)
    if until := preferences.quiet_until(call.webhook.user, occasion.now):
        return Wait(until, "These are your quiet hours.")
    return Send()


def reason_to_be_silent(call: WebhookCall, occasion: Context) -> str:
    user, seat = call.webhook.user, occasion.seat
    if call.webhook.off_since:
        return "The webhook is off."
    if not user.is_active:
        return "The account is closed."
    if seat and seat.is_muted:
        return "You muted this match."
    if occasion.notice.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You asked for no reminders."
    return ""
