"""Write letters. For each kind of notification, a function turns its context into a letter."""

from collections.abc import Callable

from notifications.context import Context
from notifications.letters import (
    account,
    digest,
    invitation,
    mail_check,
    match_news,
    proposal,
    result,
    webhook,
    your_turn,
)
from notifications.letters.blocks import Letter
from notifications.models import NotificationKind

Writer = Callable[[Context], Letter]
WRITERS: dict[str, Writer] = {
    NotificationKind.YOUR_TURN: your_turn.your_turn,
    NotificationKind.NEWS: match_news.news,
    NotificationKind.REMINDER: your_turn.reminder,
    NotificationKind.DEADLINE_PASSED: match_news.deadline_passed,
    NotificationKind.RESIGNED: match_news.resigned,
    NotificationKind.PROPOSAL: proposal.proposal,
    NotificationKind.MATCH_STARTED: match_news.match_started,
    NotificationKind.MATCH_OVER: result.match_over,
    NotificationKind.MESSAGE: match_news.message,
    NotificationKind.INVITATION: invitation.invitation,
    NotificationKind.DIGEST: digest.digest,
    NotificationKind.CONFIRM_ADDRESS: account.account,
    NotificationKind.RESET_PASSWORD: account.account,
    NotificationKind.LOGIN_LINK: account.account,
    NotificationKind.MATCH_LINK: match_news.match_link,
    NotificationKind.ACCOUNT_CHANGED: account.account,
    NotificationKind.WEBHOOK_OFF: webhook.webhook_off,
    NotificationKind.TEST_MAIL: mail_check.mail_check,
}


def letter_for(kind: str) -> Callable[[Writer], Writer]:
    """Register a letter from an app that notifications can't import, as in `@letter_for(NotificationKind.ANSWER)`."""

    def register(writer: Writer) -> Writer:
        WRITERS[kind] = writer
        return writer

    return register


def write(context: Context) -> Letter:
    return WRITERS[context.notification.kind](context)
