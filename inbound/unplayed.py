"""Answer genuine emails that we do not act on, at most once a day, so that nobody wonders about their move."""

from datetime import timedelta

import msgspec

from core import vault
from inbound.answers import NO_MORE_ANSWERS
from inbound.authentication import by_same_author, is_answered_too_often, was_told_of_limit
from inbound.execution.results import Results
from inbound.models import InboundMail, MailResult
from inbound.parsing import Reply
from notifications import bounces, outbox
from notifications.models import Notification, NotificationKind
from notifications.reply_addresses import is_mark_of

A_DAY = timedelta(days=1)
WHY = {
    MailResult.OVERSIZED: "Your email is larger than 2 MB, so we didn't read it, and nothing was done. Send it again "
    "without attachments.",
    MailResult.EXPIRED: "You replied to an email that is more than 60 days old, so nothing was done. Reply to this "
    "email instead.",
    MailResult.FOREIGN: "You no longer have the seat that this email was about, so nothing was done.",
    MailResult.WRONG_SENDER: "We got a reply to one of your emails from another address, so nothing was played. "
    "Your settings only accept emails from {address}. To accept any sender, change the setting in your profile, or use "
    "the command line: turnpost notify set --no-check-sender",
    MailResult.FAILED: "We couldn't read one of your emails because of an error on our side, so nothing was played. "
    "Send your move again, or make it in the browser.",
}
UNPROVEN = (MailResult.WRONG_SENDER, MailResult.FAILED)
"""Results of emails that may not be from the player."""
WHICH_MATCH = (
    "You replied to an email about several matches, so we can't tell which one you mean, and nothing was played. "
    "Write to the address of the match instead, or open it in the browser."
)


def explain(mail: InboundMail) -> None:
    """Say why nothing was done. The caller saves the email.

    A reply shows that our email arrived, so earlier bounces no longer count.
    """
    words = WHY.get(MailResult(mail.result))
    if not words or not mail.notification.match_id or not is_from_current_mailbox(mail):
        return
    if mail.user and mail.result not in UNPROVEN:
        bounces.clear(mail.user.email)
    if not was_told(mail):
        answer(mail, words.format(address=mail.user.email if mail.user else ""))


def answer_digest(mail: InboundMail, reply: Reply) -> None:
    """Answer a reply to an email that isn't about a single match. The caller saves the email."""
    if reply.automatic:
        mail.result = MailResult.AUTOMATIC
        return
    if not is_from_current_mailbox(mail):
        mail.result = MailResult.FOREIGN
        return
    if mail.user:
        bounces.clear(mail.user.email)
    mail.result = MailResult.REFUSED
    if not is_answered_too_often(mail):
        answer(mail, WHICH_MATCH)
        return
    mail.result = MailResult.FLOOD
    if not was_told_of_limit(mail):
        answer(mail, NO_MORE_ANSWERS)


def is_from_current_mailbox(mail: InboundMail) -> bool:
    user = mail.user
    return bool(user and user.is_active and user.email_confirmed_at and is_mark_of(mail.reader, user.email))


def was_told(mail: InboundMail) -> bool:
    told = by_same_author(mail).filter(result__in=WHY, received_at__gt=mail.received_at - A_DAY)
    return told.exclude(results="").exists()


def answer(mail: InboundMail, words: str) -> None:
    mail.results = vault.encrypt(msgspec.json.encode(Results(said=[words], is_unplayed=True)))
    outbox.add(
        [
            Notification(
                user=mail.user,
                match_id=mail.notification.match_id,
                kind=NotificationKind.ANSWER,
                data={"mail": mail.pk, "message_id": mail.message_id, "answers": mail.notification_id},
                created_at=mail.received_at,
                due_at=mail.received_at,
            )
        ]
    )
