"""Messages between the players of a match, and everybody's own notes."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.announcements import announce
from core.refusals import Invalid
from games.models import Message, Note
from games.selectors import access
from games.services.announcements import MessagePosted

LONGEST_MESSAGE = 2000
LONGEST_NOTE = 10_000
# Joiners are part of emoji and of some scripts; the rest is white space that people type.
HARMLESS = str.maketrans("", "", "\n\t\u00a0\u200c\u200d")


@transaction.atomic
def post_message(match_id: str, user: User, text: str) -> Message:
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    kept = checked(text, most=LONGEST_MESSAGE)
    if not kept:
        raise Invalid("empty", "The message is empty.", "Write something.")
    message = Message.objects.create(match=loaded.match, author=user, text=kept, posted_at=timezone.now())
    announce(MessagePosted(loaded, message))
    return message


def write_note(match_id: str, user: User, text: str) -> Note:
    """Only its author ever sees it. An empty text is a note, too."""
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    kept = {"text": checked(text, most=LONGEST_NOTE), "changed_at": timezone.now()}
    return Note.objects.update_or_create(match=loaded.match, user=user, defaults=kept)[0]


def checked(text: str, *, most: int) -> str:
    """The text as it is kept: line ends as one character, nothing around it. It appears in terminals and mail, so it
    must not be able to redraw a screen, forge a line or turn the reading direction around."""
    kept = text.replace("\r\n", "\n").strip()
    if not kept.translate(HARMLESS).isprintable():
        raise Invalid("unprintable", "The text contains control characters.", "Write plain text.")
    if len(kept) > most:
        raise Invalid("too_long", f"A text has at most {most} characters here.", "Write less.", most=most)
    return kept
