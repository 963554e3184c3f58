"""One function for each kind of notice, from the occasion to the letter."""

from collections.abc import Callable

from notifications.context import Context
from notifications.letters import account, digest, lobby, play, proposal, result, trial, webhook
from notifications.letters.blocks import Letter
from notifications.models.notification import NotificationKind

WRITERS: dict[str, Callable[[Context], Letter]] = {
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


def register(kind: str, writer: Callable[[Context], Letter]) -> None:
    """Add the letter of an app that this one must not import."""
    WRITERS[kind] = writer


def write(occasion: Context) -> Letter:
    return WRITERS[occasion.notice.kind](occasion)
