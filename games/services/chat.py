"""Messages between the players of a match, reports of messages, and private notes."""

import logging

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core import rate_limits, vault
from core.announcements import announce
from core.refusals import Conflict, Invalid, NotFound
from games.models import Message, Note, Report
from games.selectors import access, lists
from games.services.announcements import MessagePosted

logger = logging.getLogger(__name__)

LONGEST_MESSAGE = 2000
LONGEST_NOTE = 10_000
LONGEST_REASON = 500
# Joiners occur in emoji and some scripts. The others are ordinary whitespace.
HARMLESS = str.maketrans("", "", "\n\t\u00a0\u200c\u200d")


@transaction.atomic
def post_message(match_id: str, user: User, text: str) -> Message:
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    cleaned = checked(text, most=LONGEST_MESSAGE)
    if not cleaned:
        raise Invalid("empty", "The message is empty.", "Enter some text.")
    message = Message.objects.create(match=loaded.match, author=user, text=cleaned, posted_at=timezone.now())
    announce(MessagePosted(loaded, message))
    return message


def report_message(match_id: str, user: User, message_id: int, reason: str) -> Report:
    """Report another player's message to the operators. Reporting the same message again changes nothing."""
    rate_limits.count_attempt("report", str(user.pk))
    message = lists.messages(match_id, user).filter(pk=message_id).first()
    if message is None:
        raise NotFound("no_such_message", "There is no such message in this match.", "List the messages.")
    if message.author == user:
        raise Conflict("your_own_message", "This is your own message.", "You can report only other players' messages.")
    copied = {"match": message.match, "author": message.author, "text": message.text, "made_at": timezone.now()}
    words = checked(reason, most=LONGEST_REASON)
    report, is_new = Report.objects.get_or_create(
        message=message, reported_by=user, defaults=copied | {"reason": words}
    )
    if is_new:
        logger.warning("%s reported a message by %s in match %s", user, message.author, match_id)
    return report


def write_note(match_id: str, user: User, text: str) -> Note:
    """Save the player's private note, which may be empty."""
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    written = checked(text, most=LONGEST_NOTE)
    encrypted = vault.encrypt(written.encode()) if written else ""
    values = {"encrypted_text": encrypted, "changed_at": timezone.now()}
    return Note.objects.update_or_create(match=loaded.match, user=user, defaults=values)[0]


def checked(text: str, *, most: int) -> str:
    """Return the text to store.

    Messages appear in terminals and emails, so they must not be able to redraw a screen, forge a line or reverse the
    reading direction.
    """
    cleaned = text.replace("\r\n", "\n").strip()
    if not cleaned.translate(HARMLESS).isprintable():
        raise Invalid("unprintable", "The text contains control characters.", "Use plain text.")
    if len(cleaned) > most:
        raise Invalid("too_long", f"The text is longer than {most:,} characters.", "Shorten it.", most=most)
    return cleaned
