"""Run the commands in a reply in order, using the same services as the API."""

from datetime import timedelta

from django.db import transaction

from core.rate_limits import seconds_to_wait
from core.refusals import Refused, TooMany
from core.times import rounded
from games.engine.text import cut
from games.services import chat, visits
from inbound import preferences
from inbound.authentication import Genuine
from inbound.execution import absences, moves, standing_orders, votes
from inbound.execution.results import Results
from inbound.execution.run import Run
from inbound.models import InboundMail
from inbound.reading.commands import (
    Agree,
    Back,
    Board,
    Command,
    Help,
    ListMoves,
    Log,
    Mute,
    MuteOff,
    Order,
    OrderOff,
    OrderResume,
    PlayMove,
    Propose,
    Refuse,
    Resign,
    Rules,
    Say,
    Settings,
    Unreadable,
    Vacation,
    VacationOff,
)
from inbound.reading.position import Position, closest
from notifications import unsubscribe

MOST_QUOTED = 60


def carry_out(mail: InboundMail, genuine: Genuine, position: Position, commands: tuple[Command, ...]) -> Results:
    run = Run(mail, genuine, mail.turn, Results(), position)
    for command in commands:
        try:
            with transaction.atomic():
                do(run, command)
        except Refused as refused:
            run.results.said.append(f"{refused.message} {refused.hint}".strip())
            run.results.is_refused = True
    return run.results


def do(run: Run, command: Command) -> None:
    match command:
        case PlayMove(text=text, turn=turn):
            moves.play(run, text, turn)
        case Say(text=text):
            say(run, text)
        case Order() | OrderOff() | OrderResume():
            standing_orders.order(run, command)
        case Vacation() | VacationOff() | Back() | Resign():
            absences.be_away(run, command)
        case Agree() | Refuse():
            votes.vote(run, agreed=isinstance(command, Agree))
        case Propose():
            votes.propose(run, command)
        case Mute() | MuteOff():
            mute(run, muted=isinstance(command, Mute))
        case Settings(name=name, value=value):
            settings(run, name, value)
        case Board() | Log() | ListMoves() | Rules() | Help():
            show(run, command)
        case Unreadable(line=line, hint=hint, is_about_a_move=is_about_a_move):
            run.results.said.append(f"{unreadable(run, line)} {hint}".strip())
            run.results.meant = closest(line, run.position) if is_about_a_move else []


def say(run: Run, text: str) -> None:
    """Post a message. The rate limit is shared with the API."""
    if seconds := seconds_to_wait("message", str(run.genuine.user.pk)):
        hint = f"Try again in {rounded(timedelta(seconds=seconds))}."
        raise TooMany("too_many_requests", "Too many messages; this one wasn't posted.", hint)
    chat.post_message(run.match_id, run.genuine.user, text)
    run.tell("Your message was sent.")


def mute(run: Run, *, muted: bool) -> None:
    if muted:
        run.check_arranging()
    unsubscribe.mute(run.match_id, run.genuine.user, muted=muted)
    if muted:
        run.tell_arranged("You've muted this match. To undo that, reply to this email with: mute off")
    else:
        run.tell("You'll get emails about this match again.")


def settings(run: Run, name: str, value: str) -> None:
    """Show the settings. If the player asked for a change, make it first."""
    run.results.settings = preferences.written(run.genuine.user)
    if not name:
        run.note_question()
        return
    run.check_arranging()
    preferences.change(run.genuine.user, name, value)
    run.results.settings = preferences.written(run.genuine.user)
    run.tell_arranged("Your settings have been changed.")


def show(run: Run, command: Board | Log | ListMoves | Rules | Help) -> None:
    """Note what to show. Every answer includes the board, so asking for it only counts as a visit."""
    run.note_question()
    results = run.results
    results.wants_moves |= isinstance(command, ListMoves)
    results.wants_rules |= isinstance(command, Rules)
    results.wants_help |= isinstance(command, Help)
    if isinstance(command, Board | Log | ListMoves):
        visits.record(run.genuine.loaded, run.genuine.user)
    if isinstance(command, Log):
        results.log = run.log_after(turn=0)


def unreadable(run: Run, line: str) -> str:
    """Report a line that can't be read. In games with sealed moves, the line isn't repeated, because it may be a
    sealed move with a typo."""
    if not line:
        return ""
    if run.genuine.loaded.engine.sealed_moves:
        return "We couldn't read one of your lines."
    return f"We couldn't read '{cut(printable(line), MOST_QUOTED)}'."


def printable(line: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in line)
