"""Collect the answers to replies that contain every command, and sealed, refused and late moves."""

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

from django.utils import timezone

from games.models import Phase
from games.selectors.loading import LoadedMatch, load_match
from inbound.handling import handle_due
from inbound.models import InboundMail
from inbound.reading import command_lines, commands
from notifications.context import load
from notifications.models import Notification, NotificationKind
from notifications.reply_addresses import reply_address
from tests.acceptance.secrecy.api import Seen, moves_to_try, would_reveal
from tests.acceptance.secrecy.outgoing import in_an_envelope, owed
from tests.acceptance.secrecy.sandbox import Sandbox, Viewer, rolled_back, seed_randomness
from tests.inbound.letters import deliver

NONSENSE = "dance"
LINES = [*dict.fromkeys([*(example for example, _ in commands.COMMANDS), *command_lines.FIXED]), NONSENSE]


def answers(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Reply to a separate email for each line, and yield the answer. Each reply is rolled back."""
    if viewer.user is None or viewer.seat is None:
        return
    now = load_match(sandbox.match_id)
    for line, turn in [*((line, now.match.turn) for line in LINES), *moves(sandbox, viewer.seat, now)]:
        with rolled_back():
            yield f"reply {line} on turn {turn}", answer_to(sandbox, viewer, line, turn)


def moves(sandbox: Sandbox, seat: int, now: LoadedMatch) -> Iterator[tuple[str, int]]:
    """Yield every move for an old turn and, for the current turn, every move that reveals nothing."""
    for move in moves_to_try(sandbox, seat):
        yield move, 0
        if now.match.phase == Phase.RUNNING and not would_reveal(now, seat, move):
            yield move, now.match.turn


def answer_to(sandbox: Sandbox, viewer: Viewer, line: str, turn: int) -> list[Any]:
    seed_randomness(line, turn)
    answered = owed(sandbox, viewer, NotificationKind.PROPOSAL)
    deliver(reply(answered, turn, line))
    handle_due()
    result = InboundMail.objects.get(notification=answered).result
    (context,) = load([Notification.objects.get(kind=NotificationKind.ANSWER, data__answers=answered.pk).pk])
    return [result, *in_an_envelope(context)]


def reply(answered: Notification, turn: int, line: str) -> EmailMessage:
    assert answered.user
    mail, sender = EmailMessage(), answered.user.email
    mail["From"], mail["To"] = sender, reply_address(answered.pk, turn, sender, timezone.now())
    mail["Message-ID"] = "<reply@mail.example.org>"
    mail.set_content(f"{line}\n")
    return mail
