"""Answer a genuine reply: say what each command did and what comes next, or why nothing was done."""

from collections.abc import Iterator

import msgspec

from core import vault
from games.models import Phase
from inbound import commands
from inbound.authentication import Genuine, is_answered_too_often
from inbound.commands import COMMANDS
from inbound.execution import Results, carry_out
from inbound.models import InboundMail, MailVerdict
from inbound.parsing import Reply
from notifications import outbox
from notifications.context import Context, NothingToSay
from notifications.letters import letter_for
from notifications.letters.blocks import Block, Letter, Offer, Offers, Story, Words
from notifications.letters.parts import (
    board,
    greeting,
    match_footer,
    offers,
    open_match,
    since_you_acted,
    story,
    subject,
    time_left,
    whose_turn,
)
from notifications.models import Notification, NotificationKind

_results = msgspec.json.Decoder(Results)


def do_and_answer(mail: InboundMail, reply: Reply, genuine: Genuine) -> None:
    """Run the commands and queue the answer. The caller saves the email."""
    asked = commands.read(reply.lines, genuine.loaded.engine, reply.rests, reply.unproven)
    results = carry_out(mail, genuine, asked)
    mail.has_moved = results.moves_made > 0
    mail.has_arranged = results.arranged > 0
    mail.verdict = verdict_on(results, reply)
    if is_answered_too_often(mail):
        mail.verdict = MailVerdict.FLOOD
        return
    mail.results = vault.encrypt(msgspec.json.encode(results))
    outbox.add([answer_notification(mail, genuine)])


def verdict_on(results: Results, reply: Reply) -> MailVerdict:
    if results.done:
        return MailVerdict.ASKED if results.done == results.asked else MailVerdict.ACCEPTED
    return MailVerdict.REFUSED if reply.lines else MailVerdict.NO_COMMANDS


def answer_notification(mail: InboundMail, genuine: Genuine) -> Notification:
    return Notification(
        user=genuine.user,
        match=genuine.loaded.match,
        seat=genuine.seat.number,
        kind=NotificationKind.ANSWER,
        data={"mail": mail.pk, "message_id": mail.message_id, "answers": mail.notification_id},
        created_at=mail.received_at,
        due_at=mail.received_at,
    )


def results_of(notification: Notification) -> Results | None:
    """Return the results, or None if they have been deleted."""
    mail = InboundMail.objects.filter(pk=notification.data["mail"]).first()
    return _results.decode(vault.decrypt(mail.results)) if mail and mail.results else None


NOTHING_ASKED = "We couldn't find a command in your email. Write it on the first line, above the quoted text."


@letter_for(NotificationKind.ANSWER)
def answer(context: Context) -> Letter:
    results = results_of(context.notification)
    if results is None:
        raise NothingToSay("The results have been deleted.")
    return Letter(
        subject(heading(results), context),
        greeting(context),
        [
            *(Words(words) for words in results.said or opening(results)),
            *what_happened(context, results),
            *(help_blocks(context) if results.wants_help or not results.done else ()),
            *(log(results)),
            *what_comes_next(context, results),
            open_match(context),
        ],
        match_footer(context),
    )


def heading(results: Results) -> str:
    if results.is_stale:
        return "Too late"
    if results.moves_refused:
        return "Partly played" if results.moves_made else "Not played"
    if results.moves_made:
        return "Played"
    return "Done" if results.done else "Not understood"


def opening(results: Results) -> list[str]:
    return [] if results.done else [NOTHING_ASKED]


def what_happened(context: Context, results: Results) -> Iterator[Story]:
    """Show the events of the player's moves, or the events that a late move missed; otherwise everything since they
    last acted."""
    if results.changed:
        yield Story("What has changed since that email", results.changed)
        yield from story(context, "Since then", results.told_through)
        return
    if not results.moves_made:
        yield from since_you_acted(context)
        return
    if results.happened:
        yield Story("What happened", results.happened)
    acted = context.seat.acted_through if context.seat else 0
    yield from story(context, "Since then", max(acted, results.told_through))


def help_blocks(context: Context) -> Iterator[Block]:
    engine = context.loaded.engine
    moves = [Offer(example, meaning) for example, meaning in engine.notation_help]
    yield Offers(f"How to write {engine.title} moves", moves)
    how = "Put each command on its own line. You can play all steps of a turn in one email."
    yield Offers("Other commands", [Offer(command, meaning) for command, meaning in COMMANDS], how)


def log(results: Results) -> Iterator[Story]:
    if results.log:
        yield Story("Recent events", results.log)


def what_comes_next(context: Context, results: Results) -> Iterator[Block]:
    if context.loaded.match.phase == Phase.RUNNING:
        yield from what_to_do(context)
    elif results.moves_made:
        yield Words("The match has ended. You'll get the result in a separate email.")
    else:
        is_gathering = context.loaded.match.phase == Phase.GATHERING
        yield Words("The match hasn't started yet." if is_gathering else "The match has ended.")
        yield from board(context)


def what_to_do(context: Context) -> Iterator[Block]:
    awaited = context.seat is not None and context.seat.awaited_since is not None
    yield Words(f"It's your turn. {time_left(context)}" if awaited else whose_turn(context))
    yield from board(context)
    if awaited:
        yield from offers(context)
