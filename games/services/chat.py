"""Table talk between the players of a match, and everybody's own notes."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.jobs import wakeup
from core.refusals import Refused
from games.models import Message, Note
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services.text_checks import checked
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import Delivery, NotificationKind

LONGEST_MESSAGE = 2000
LONGEST_NOTE = 10_000


@transaction.atomic
def say(match_id: str, user: User, text: str) -> Message:
    table = access.visible_table(match_id, user)
    access.own_seat(table, user)
    kept = checked(text, most=LONGEST_MESSAGE)
    if not kept:
        raise Refused(400, "empty", "There is nothing to say.", "Write a message.")
    message = Message.objects.create(match=table.match, author=user, text=kept, said_at=timezone.now())
    outbox.owe(message_notices(table, message))
    transaction.on_commit(wakeup.ring)
    return message


def message_notices(table: LoadedMatch, message: Message) -> list[Notification]:
    """For all others at the table who have not been promised one already: one mail tells of all new messages. Nobody
    writes that mail before this message can be read."""
    promised = Notification.objects.filter(match=table.match, kind=NotificationKind.MESSAGE, delivery=Delivery.QUEUED)
    kept_waiting = promised.select_for_update().order_by("pk")
    told = {message.author_id, None, *kept_waiting.values_list("user_id", flat=True)}
    return [
        Notification(
            user_id=seat.user_id,
            match=table.match,
            seat=seat.number,
            kind=NotificationKind.MESSAGE,
            data={"message": message.pk},
            owed_at=message.said_at,
            due_at=message.said_at,
        )
        for seat in table.seats
        if seat.user_id not in told
    ]


def write_note(match_id: str, user: User, text: str) -> Note:
    """Only its writer ever sees it. An empty text is a note, too."""
    table = access.visible_table(match_id, user)
    access.own_seat(table, user)
    kept = {"text": checked(text, most=LONGEST_NOTE), "changed_at": timezone.now()}
    return Note.objects.update_or_create(match=table.match, user=user, defaults=kept)[0]
