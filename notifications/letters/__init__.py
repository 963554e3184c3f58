"""What we write: one function for each kind of notification, from its context to the letter."""

from collections.abc import Callable

from notifications.context import Context
from notifications.letters import account, digest, lobby, play, proposal, result, trial, webhook
from notifications.letters.blocks import Letter
from notifications.models.notification import NotificationKind

Writer = Callable[[Context], Letter]
WRITERS: dict[str, Writer] = {
    NotificationKind.YOUR_TURN: play.your_turn,
    NotificationKind.NEWS: play.news,
    NotificationKind.REMINDER: play.reminder,
    NotificationKind.DEADLINE_PASSED: play.deadline_passed,
    NotificationKind.PROPOSAL: proposal.proposal,
    NotificationKind.MATCH_STARTED: play.match_started,
    NotificationKind.MATCH_OVER: result.match_over,
    NotificationKind.MESSAGE: play.message,
    NotificationKind.INVITATION: lobby.invitation,
    NotificationKind.DIGEST: digest.digest,
    NotificationKind.CONFIRM_ADDRESS: account.account,
    NotificationKind.RESET_PASSWORD: account.account,
    NotificationKind.ACCOUNT_CHANGED: account.account,
    NotificationKind.WEBHOOK_OFF: webhook.webhook_off,
    NotificationKind.TEST_MAIL: trial.trial,
}


def letter_for(kind: str) -> Callable[[Writer], Writer]:
    """Apps above add their own letters: `@letter_for(NotificationKind.ANSWER)`."""

    def register(writer: Writer) -> Writer:
        WRITERS[kind] = writer
        return writer

    return register


def write(context: Context) -> Letter:
    return WRITERS[context.notification.kind](context)
