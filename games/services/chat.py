"""Messages between the players of a match, and private notes."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core import vault
from core.announcements import announce
from core.refusals import Invalid
from games.models import Message, Note
from games.selectors import access
from games.services.announcements import MessagePosted

LONGEST_MESSAGE = 2000
LONGEST_NOTE = 10_000
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


def write_note(match_id: str, user: User, text: str) -> Note:
    """Save the player's private note; it may be empty."""
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
