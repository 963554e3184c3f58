"""Answer a genuine reply. The answer says what each command did and what comes next, or why nothing was done."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import quote

import msgspec

from core import vault
from games.models import Move, Phase
from games.services.invitations import invitation_link
from inbound.authentication import Genuine, is_answered_too_often, was_told_of_limit
from inbound.execution import carry_out, votes
from inbound.execution.absences import ASKS_TO_RESIGN
from inbound.execution.results import Results
from inbound.models import InboundMail, MailResult
from inbound.parsing import Reply
from inbound.reading import reply as replies
from inbound.reading.commands import COMMANDS
from inbound.reading.position import Position, closest
from notifications import bounces, outbox
from notifications.context import Context, NothingToSay
from notifications.letters import letter_for
from notifications.letters.blocks import Block, EventList, Letter, Link, Offer, Offers, Words
from notifications.letters.digest import waiting_blocks, waiting_seats
from notifications.letters.parts import (
    board,
    events_since,
    greeting,
    invitation_footer,
    match_footer,
    offers,
    open_match,
    order_notes,
    since_you_acted,
    subject,
    task,
    time_left,
    whose_turn,
)
from notifications.models import Notification, NotificationKind

ROUTINE_WAITS = timedelta(minutes=10)
"""How long a routine confirmation is held back, in case another email about the match makes it unnecessary."""
NO_MORE_ANSWERS = (
    "You've sent many emails without a move or command that worked. For the rest of the day, we'll answer only "
    "emails that change something. Your moves are still played."
)
OVER_LIMIT = "You've sent too many emails in a short time, so we didn't act on this one. Try again in an hour."

_results = msgspec.json.Decoder(Results)


def do_and_answer(mail: InboundMail, reply: Reply, genuine: Genuine) -> None:
    """Run the commands and queue the answer. The caller saves the email.

    A genuine reply shows that our email arrived, so earlier bounces no longer count.
    """
    bounces.clear(genuine.user.email)
    if genuine.is_over_limit:
        tell_of_limit(mail, genuine, OVER_LIMIT)
        return
    position = position_of(genuine, mail)
    asked = replies.read(reply.lines, position, reply.rests, reply.unproven, reply.subject)
    results = carry_out(mail, genuine, position, asked)
    mail.has_moved = results.moves_made > 0
    mail.has_arranged = results.arranged > 0
    mail.result = mail_result(results, reply)
    if is_answered_too_often(mail):
        tell_of_limit(mail, genuine, NO_MORE_ANSWERS)
    else:
        send(mail, genuine, results)


def send(mail: InboundMail, genuine: Genuine, results: Results) -> None:
    mail.results = vault.encrypt(msgspec.json.encode(results))
    outbox.add([answer_notification(mail, genuine, results)])


def tell_of_limit(mail: InboundMail, genuine: Genuine, words: str) -> None:
    """Tell the player once that a limit applies. Further emails get no answer, in case they come from a program."""
    mail.result = MailResult.FLOOD
    if not was_told_of_limit(mail):
        send(mail, genuine, Results(said=[words], is_over_limit=True))


def position_of(genuine: Genuine, mail: InboundMail) -> Position:
    loaded, seat = genuine.loaded, genuine.seat
    is_running = loaded.match.phase == Phase.RUNNING
    return Position(
        loaded.engine,
        loaded.state if is_running else None,
        seat.drawn if is_running else 0,
        match_id=loaded.match.id,
        own_name=genuine.user.name,
        others=[other.player_name for other in loaded.seats if other is not seat],
        asks_for_a_vote=votes.asks_for_a_vote(mail.notification),
        is_chat=mail.notification.kind == NotificationKind.MESSAGE,
    )


def mail_result(results: Results, reply: Reply) -> MailResult:
    if results.done:
        return MailResult.ASKED if results.done == results.asked else MailResult.ACCEPTED
    return MailResult.REFUSED if reply.lines else MailResult.NO_COMMANDS


def answer_notification(mail: InboundMail, genuine: Genuine, results: Results) -> Notification:
    """Create the notification for an answer.

    A routine confirmation is held back, because the next email about the match makes it unnecessary. If the player
    wants every move to be confirmed, it is sent immediately.
    """
    is_routine = results.is_routine and not (genuine.seat.awaited_since or genuine.user.confirms_moves)
    return Notification(
        user=genuine.user,
        match=genuine.loaded.match,
        seat=genuine.seat.number,
        kind=NotificationKind.ANSWER,
        data={
            "mail": mail.pk,
            "message_id": mail.message_id,
            "answers": mail.notification_id,
            **({} if results.done else votes.still_open(mail.notification)),
            **({ASKS_TO_RESIGN: True} if asks_to_resign(mail, results) else {}),
            **({"routine": True} if is_routine else {}),
        },
        created_at=mail.received_at,
        due_at=mail.received_at + (ROUTINE_WAITS if is_routine else timedelta()),
    )


def asks_to_resign(mail: InboundMail, results: Results) -> bool:
    """Return whether the answer asks the player to confirm that they want to resign.

    The question is repeated if the reply to it isn't clear.
    """
    return results.asks_to_resign or (not results.done and ASKS_TO_RESIGN in mail.notification.data)


def results_of(notification: Notification) -> Results | None:
    """Return the results of a message, or None if they have been deleted."""
    mail = InboundMail.objects.filter(pk=notification.data["mail"]).first()
    return _results.decode(vault.decrypt(mail.results)) if mail and mail.results else None


NOTHING_ASKED = "We couldn't find a move in your email. Write it on the first line, above the quoted text."
NOTHING_TO_DO = "We couldn't find a command in your email. To write to the other players, start with 'say'."


@letter_for(NotificationKind.ANSWER)
def answer(context: Context) -> Letter:
    results = results_of(context.notification)
    if results is None:
        raise NothingToSay("The results have been deleted.")
    if context.match_if_any is None:
        return answer_to_digest(context, results)
    if context.seat is None:
        return answer_to_stranger(context, results)
    return Letter(
        subject(heading(context, results), context),
        greeting(context),
        [
            *(Words(words) for words in results.said or opening(context, results)),
            *how_to_resign(context),
            *order_notes(context.seat),
            *what_happened(context, results),
            *(help_blocks(context) if results.wants_help else ()),
            *(log(results)),
            *(lists(context, results)),
            *what_comes_next(context, results),
            open_match(context),
        ],
        match_footer(context),
    )


def answer_to_digest(context: Context, results: Results) -> Letter:
    """Show the matches that are waiting for the player, each with its own address."""
    return Letter(
        "Which match do you mean?",
        greeting(context),
        [*map(Words, results.said), *waiting_blocks(context, waiting_seats(context), {})],
        [Words("You're receiving this email because you replied to a digest.")],
    )


def answer_to_stranger(context: Context, results: Results) -> Letter:
    """Answer someone who isn't in the match, without showing its board."""
    if results.is_unplayed:
        blocks: list[Block] = [*map(Words, results.said), open_match(context)]
        return Letter(subject("nothing was played", context), greeting(context), blocks, match_footer(context))
    invited = context.notification.data.get("invitation")
    link = Link("Open the invitation", invitation_link(invited)) if invited else open_match(context)
    return Letter(
        subject("your invitation", context),
        greeting(context),
        [*map(Words, results.said), *lists(context, results), link],
        invitation_footer(context, "you replied to an invitation"),
    )


def heading(context: Context, results: Results) -> str:
    if results.is_over_limit:
        return "too many emails"
    if results.is_unplayed:
        return "nothing was played"
    if results.is_stale:
        return "too late, the board has changed"
    if results.moves_refused:
        return "partly played" if results.moves_made else "not played"
    if results.asks_to_resign:
        return "do you want to resign?"
    if results.moves_made:
        return task(context) if is_awaited(context) else results.played or "played"
    if results.is_refused and not results.done:
        return "nothing was done"
    return "done" if results.done else "which move do you mean?" if results.meant else "not understood"


def is_awaited(context: Context) -> bool:
    return context.seat is not None and context.seat.awaited_since is not None


def opening(context: Context, results: Results) -> list[str]:
    if results.done:
        return []
    return [NOTHING_ASKED if is_awaited(context) else NOTHING_TO_DO]


def how_to_resign(context: Context) -> Iterator[Offers]:
    if ASKS_TO_RESIGN in context.notification.data:
        yield Offers("To resign, reply to this email with", [Offer("resign", "", mail_link(context, "resign"))])


def what_happened(context: Context, results: Results) -> Iterator[EventList]:
    """Show the events of the player's own moves.

    If a move came too late, show the events that preceded it. Otherwise, show everything since the player last acted.
    """
    if results.changed:
        yield EventList("What has changed since that email", results.changed)
        yield from events_since(context, "Since then", results.told_through)
        return
    if not results.moves_made:
        yield from since_you_acted(context)
        return
    if results.happened:
        yield EventList("What happened", results.happened)
    acted = context.seat.acted_through if context.seat else 0
    yield from events_since(context, "Since then", max(acted, results.told_through))


def help_blocks(context: Context) -> Iterator[Block]:
    engine = context.loaded.engine
    moves = [Offer(example, meaning) for example, meaning in engine.notation_help]
    yield Offers(f"How to write {engine.title} moves", moves)
    how = "Put each command on its own line. You can play all steps of a turn in one email."
    yield Offers("Other commands", [Offer(command, meaning) for command, meaning in COMMANDS], how)


def log(results: Results) -> Iterator[EventList]:
    if results.log:
        yield EventList(results.log_title, results.log)


def lists(context: Context, results: Results) -> Iterator[Block]:
    """Show all moves, the rules or the settings, if the player asked for them."""
    engine = context.loaded.engine
    if results.wants_moves and is_awaited(context) and context.seat:
        choices = engine.choices(context.state, context.seat.drawn)
        written = [*(engine.notation(move) for move in choices.moves), *(form.example for form in choices.forms)]
        yield Offers("All your moves", [Offer(each, "", mail_link(context, each)) for each in written])
    if results.wants_rules:
        yield EventList(f"Rules of {engine.title}", [plain_rule(each) for each in engine.rules_page().split("\n\n")])
    if results.settings:
        yield Offers("Your settings", [Offer(f"settings {name} {value}", "") for name, value in results.settings])


def plain_rule(paragraph: str) -> str:
    return " ".join(paragraph.replace("#", "").replace("**", "").replace("`", "").split())


def what_comes_next(context: Context, results: Results) -> Iterator[Block]:
    if context.loaded.match.phase == Phase.RUNNING:
        yield from what_to_do(context, results)
    elif results.moves_made:
        yield Words("The match has ended. You'll get the result in a separate email.")
    else:
        is_gathering = context.loaded.match.phase == Phase.GATHERING
        yield Words("The match hasn't started yet." if is_gathering else "The match has ended.")
        yield from board(context)


def what_to_do(context: Context, results: Results) -> Iterator[Block]:
    """Show the board and the moves. After a mistake, the moves come first, starting with those closest to the player's
    text."""
    awaited = is_awaited(context)
    if votes.asks_for_a_vote(context.notification):
        answers = [Offer(each, "", mail_link(context, each)) for each in ("agree", "refuse")]
        yield Offers("To vote on the proposal, reply with", answers)
    earlier = list(earlier_sealed_move(context, results))
    yield from earlier
    yield Words(f"It's your turn. {time_left(context)}" if awaited else whose_turn(context))
    if (awaited or earlier) and not results.done:
        yield from suggestions(context, results)
        yield from board(context)
        return
    yield from board(context)
    if awaited:
        yield from offers(context)


def earlier_sealed_move(context: Context, results: Results) -> Iterator[Words]:
    """Say which sealed move counts if this email hasn't made another one."""
    seat, match = context.seat, context.loaded.match
    if seat is None or seat.awaited_since or results.sealed:
        return
    sealed = Move.objects.filter(match=match.id, seat=seat.drawn, turn=match.turn, is_sealed=True)
    move = sealed.order_by("-number").first()
    if move and context.loaded.engine.choices(context.state, seat.drawn):
        yield Words(
            f"Your earlier sealed move counts. Its receipt is {move.receipt}. Until everyone has moved, you can "
            "replace it by replying to this email."
        )


def suggestions(context: Context, results: Results) -> Iterator[Block]:
    """Offer moves as links that start a reply. If not all of them are offered, the player can ask for the rest."""
    position = Position(context.loaded.engine, context.state, context.seat.drawn if context.seat else 0)
    meant = results.meant or closest("", position)
    offered = [Offer(notation, "", mail_link(context, notation)) for notation in meant]
    yield Offers("You can reply with", offered, "For all commands, reply with: help")


def mail_link(context: Context, text: str) -> str:
    title = quote(f"Re: {subject('my move', context)}")
    return f"mailto:{context.reply_address}?subject={title}&body={quote(text)}" if context.reply_address else ""
