"""A letter becomes a message: addresses, the thread it belongs to, and how to be rid of it."""

from dataclasses import replace

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from core import numbers
from notifications.context import Context
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.letters.blocks import ANSWER_ABOVE, Letter
from notifications.models import Notification
from notifications.models.notification import NotificationKind
from notifications.policy import ABOUT_ACCOUNTS
from notifications.unsubscribe_links import unsubscribe_link

POSTMARK_WORD = "notice"
"""Postmark tells what became of a mail by an id of its own; what such a header says comes back with it."""


def seal(occasion: Context, letter: Letter) -> EmailMultiAlternatives:
    letter = replace(letter, above=ANSWER_ABOVE if occasion.reply_address else "")
    message = EmailMultiAlternatives(
        one_line(letter.subject),
        as_text(letter),
        from_email=occasion.return_address or settings.DEFAULT_FROM_EMAIL,
        to=[occasion.address],
        headers=headers(occasion),
    )
    message.attach_alternative(as_html(letter), "text/html")
    return message


def headers(occasion: Context) -> dict[str, str]:
    notice = occasion.notice
    lines = {
        "From": settings.DEFAULT_FROM_EMAIL,
        "Message-ID": message_id(notice.pk),
        "Auto-Submitted": "auto-generated",
    }
    if "postmark" in settings.INBOUND_PROVIDERS:
        lines[f"X-PM-Metadata-{POSTMARK_WORD}"] = mark(notice.pk)
    if notice.kind not in ABOUT_ACCOUNTS:
        lines["List-Unsubscribe"] = f"<{unsubscribe_link(occasion)}>"
        lines["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if notice.match_id:
        lines["In-Reply-To"] = lines["References"] = thread(notice)
    if notice.kind == NotificationKind.ANSWER:
        lines |= answering(notice)
    if occasion.reply_address:
        lines["Reply-To"] = occasion.reply_address
    return lines


def answering(notice: Notification) -> dict[str, str]:
    """An answer stands below the player's own mail, which stands below the one that it answered."""
    asked, theirs = message_id(notice.data["answers"]), notice.data["message_id"]
    return {
        "Auto-Submitted": "auto-replied",
        "In-Reply-To": theirs or asked,
        "References": " ".join([thread(notice), asked, theirs]).strip(),
    }


def message_id(notice_id: int) -> str:
    return f"<{mark(notice_id)}@{settings.PUBLIC_HOST}>"


def mark(notice_id: int) -> str:
    """What a notice is known by outside."""
    return f"letter-{numbers.disguised(notice_id):0{numbers.BYTES * 2}x}"


def thread(notice: Notification) -> str:
    """All mail to one player about one match answers the same message, which nobody ever sent."""
    return f"<match-{notice.match_id}-{notice.user_id or 'guest'}@{settings.PUBLIC_HOST}>"


def one_line(text: str) -> str:
    """A header line that nobody can break out of."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
