"""A letter becomes a message: addresses, the thread it belongs to, and how to be rid of it."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from games.mail.as_html import as_html
from games.mail.as_text import as_text
from games.mail.letter import Letter
from games.mail.links import unsubscribe_link
from games.mail.occasion import Occasion
from games.mail.verdict import ABOUT_ACCOUNTS
from games.models import Notice


def seal(occasion: Occasion, letter: Letter) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        one_line(letter.subject), as_text(letter), to=[occasion.address], headers=headers(occasion)
    )
    message.attach_alternative(as_html(letter), "text/html")
    return message


def headers(occasion: Occasion) -> dict[str, str]:
    notice = occasion.notice
    lines = {
        "Message-ID": f"<notice-{notice.pk}@{settings.PUBLIC_HOST}>",
        "Auto-Submitted": "auto-generated",
    }
    if notice.kind not in ABOUT_ACCOUNTS:
        lines["List-Unsubscribe"] = f"<{unsubscribe_link(occasion)}>"
        lines["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if notice.match_id:
        lines["In-Reply-To"] = lines["References"] = thread(notice)
    return lines


def thread(notice: Notice) -> str:
    """All mail to one player about one match answers the same message, which nobody ever sent."""
    return f"<match-{notice.match_id}-{notice.user_id or 'guest'}@{settings.PUBLIC_HOST}>"


def one_line(text: str) -> str:
    """A header line that nobody can break out of."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
