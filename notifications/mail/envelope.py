"""Turn a letter into a message with addresses, threading and unsubscribe headers."""

from dataclasses import replace

from django.conf import settings

from notifications import calendar
from notifications.context import Context
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.letters.blocks import ANSWER_ABOVE, Letter
from notifications.mail.message import Email
from notifications.models import Notification, NotificationKind
from notifications.policy import ASKS_TO_ACT, REGARDLESS_OF_PREFERENCES
from notifications.unsubscribe import unsubscribe_link

POSTMARK_KEY = "notification"
"""A header whose metadata Postmark returns with its events. Postmark identifies emails only by its own IDs."""

KIND = "X-Turnpost-Kind"
"""A header that players can filter by. Its values are your_turn, message, match_over and so on."""

HAS_DEADLINE = ASKS_TO_ACT | {NotificationKind.PROPOSAL}
"""The kinds of emails with a calendar entry. A proposal may move the deadline."""


def seal(context: Context, letter: Letter) -> Email:
    letter = replace(letter, above=ANSWER_ABOVE if context.reply_address and context.match_if_any else "")
    message = Email(
        one_line(letter.subject),
        as_text(letter),
        from_email=context.return_address or settings.DEFAULT_FROM_EMAIL,
        to=[context.address],
        headers=headers(context),
    )
    message.attach_alternative(as_html(letter), "text/html")
    if context.notification.kind in HAS_DEADLINE and context.seat:
        message.calendar = calendar.published(context.loaded, context.seat)
    return message


def headers(context: Context) -> dict[str, str]:
    notification = context.notification
    lines = {
        "From": settings.DEFAULT_FROM_EMAIL,
        "Message-ID": message_id(notification.pk),
        "Auto-Submitted": "auto-generated",
        KIND: notification.kind,
    }
    if "postmark" in settings.INBOUND_PROVIDERS:
        lines[f"X-PM-Metadata-{POSTMARK_KEY}"] = mark(notification.pk)
    if notification.kind not in REGARDLESS_OF_PREFERENCES:
        lines["List-Unsubscribe"] = f"<{unsubscribe_link(context)}>"
        lines["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if notification.match_id:
        lines["In-Reply-To"] = lines["References"] = thread(notification)
        lines["List-Id"] = f"<{notification.match_id}.matches.{settings.PUBLIC_HOST}>"
    if notification.kind == NotificationKind.ANSWER:
        lines |= answering(notification)
    if context.reply_address:
        lines["Reply-To"] = context.reply_address
    return lines


def answering(notification: Notification) -> dict[str, str]:
    """Thread the answer below the player's email, and that email below the one it replies to."""
    asked, theirs = message_id(notification.data["answers"]), notification.data["message_id"]
    return {
        "Auto-Submitted": "auto-replied",
        "In-Reply-To": theirs or asked,
        "References": " ".join([*([thread(notification)] if notification.match_id else []), asked, theirs]).strip(),
    }


def message_id(notification_id: int) -> str:
    return f"<{mark(notification_id)}@{settings.PUBLIC_HOST}>"


def mark(notification_id: int) -> str:
    """Return the public name of a notification."""
    return f"notification-{notification_id:016x}"


def thread(notification: Notification) -> str:
    """Return the ID of a message that never existed. All emails to one player about one match are replies to it."""
    return f"<match-{notification.match_id}-{notification.user_id or 'guest'}@{settings.PUBLIC_HOST}>"


def one_line(text: str) -> str:
    """Remove line breaks to prevent header injection."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
