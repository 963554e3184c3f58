"""One function for each kind of notice, from the occasion to the letter."""

from collections.abc import Callable

from games.mail.letter import Letter
from games.mail.letters import account, answer, digest, lobby, play, proposal, result, trial, webhook
from games.mail.occasion import Occasion
from games.models.notice import NoticeKind

WRITERS: dict[str, Callable[[Occasion], Letter]] = {
    NoticeKind.YOUR_TURN: play.your_turn,
    NoticeKind.NEWS: play.news,
    NoticeKind.REMINDER: play.reminder,
    NoticeKind.DEADLINE_PASSED: play.deadline_passed,
    NoticeKind.PROPOSAL: proposal.proposal,
    NoticeKind.MATCH_STARTED: play.match_started,
    NoticeKind.MATCH_OVER: result.match_over,
    NoticeKind.MESSAGE: play.message,
    NoticeKind.ANSWER: answer.answer,
    NoticeKind.INVITATION: lobby.invitation,
    NoticeKind.DIGEST: digest.digest,
    NoticeKind.CONFIRM_ADDRESS: account.account,
    NoticeKind.RESET_PASSWORD: account.account,
    NoticeKind.ACCOUNT_CHANGED: account.account,
    NoticeKind.WEBHOOK_OFF: webhook.webhook_off,
    NoticeKind.TEST_MAIL: trial.trial,
}


def write(occasion: Occasion) -> Letter:
    return WRITERS[occasion.notice.kind](occasion)
