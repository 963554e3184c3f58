"""Run the commands of one reply in order, through the same services as the API.

One email can play all steps of a turn. Each move is played on the turn that the previous move led to, as long as nobody
else has acted in between. A refused or sealed move ends the sequence.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from django.db import transaction

from clock import proposals, stand_ins, vacations
from clock.proposal_rules import proposal_text, status_text
from core.rate_limits import seconds_to_wait
from core.refusals import Conflict, Refused, TooMany
from core.times import rounded
from games.engine.text import cut, listing
from games.models import Phase, Source
from games.selectors import access, presenters
from games.selectors.loading import load_match
from games.services import chat, visits
from games.services.moves import Actor, MoveResult, submit_to
from games.shapes import MadeMove, MoveAccepted
from inbound.authentication import Genuine
from inbound.commands import (
    Agree,
    Back,
    Board,
    Command,
    Help,
    Log,
    Mute,
    MuteOff,
    PlayMove,
    Refuse,
    Say,
    Unreadable,
    Vacation,
    VacationOff,
)
from inbound.models import InboundMail
from notifications import unsubscribe
from notifications.letters.blocks import unbroken
from notifications.models import NotificationKind

LOG_ENTRIES = 20
MOST_QUOTED = 60
UNDER_WAY = (Phase.GATHERING, Phase.RUNNING)
ELSEWHERE = "Use the API or the command line: turnpost notify or turnpost notify vacation."
LATEST = "Reply to our latest email instead."


class Results(msgspec.Struct):
    """The results of a reply's commands, which the answer reports."""

    said: list[str] = []
    """One or two sentences per command."""
    happened: list[str] = []
    changed: list[str] = []
    """Events after the email that the player answered too late."""
    told_through: int = 0
    """The number of the last event in `happened` or `changed`."""
    log: list[str] = []
    done: int = 0
    asked: int = 0
    """How many of `done` only asked for information."""
    arranged: int = 0
    """How many of `done` muted the match or planned a vacation."""
    moves_made: int = 0
    moves_refused: int = 0
    wants_help: bool = False
    is_stale: bool = False


@dataclass
class CommandRunner:
    """Runs the commands of one reply, and keeps track of the turn for the next move or why there can't be one."""

    mail: InboundMail
    genuine: Genuine
    turn: int
    results: Results
    why_no_more: str = ""

    def do(self, command: Command) -> None:
        match command:
            case PlayMove(text=text):
                self.move(text)
            case Say(text=text):
                self.say(text)
            case Vacation(first=first, last=last):
                self.check_arranging()
                vacations.plan(self.genuine.user, first, last)
                self.tell_arranged(f"Your vacation from {first} to {last} is set. Your clock stops on those days.")
            case VacationOff():
                self.tell(self.end_vacation(must_have_begun=False))
            case Back():
                self.come_back()
            case Agree() | Refuse():
                self.decide(agreed=isinstance(command, Agree))
            case Mute():
                self.check_arranging()
                unsubscribe.mute(self.match_id, self.genuine.user, muted=True)
                self.tell_arranged("You've muted this match. To undo that, reply to this email with: mute off")
            case MuteOff():
                unsubscribe.mute(self.match_id, self.genuine.user, muted=False)
                self.tell("You'll get emails about this match again.")
            case Board() | Log():
                self.look(wants_log=isinstance(command, Log))
            case Help():
                self.results.wants_help = True
                self.note_question()
            case Unreadable(line=line, hint=hint):
                self.results.said.append(f"{self.unreadable(line)} {hint}")
                self.results.wants_help = True

    def reload(self) -> None:
        """Load the match again. Call this after a service has loaded and changed it."""
        loaded = load_match(self.match_id, lock=True)
        self.genuine = replace(self.genuine, loaded=loaded, seat=access.own_seat(loaded, self.genuine.user))

    @property
    def match_id(self) -> str:
        return self.genuine.loaded.match.id

    def tell(self, words: str) -> None:
        self.results.said.append(words)
        self.results.done += 1

    def note_question(self) -> None:
        self.results.done += 1
        self.results.asked += 1

    def say(self, text: str) -> None:
        """Post a message. This shares its rate limit with the API."""
        if seconds := seconds_to_wait("message", str(self.genuine.user.pk)):
            hint = f"Try again in {rounded(timedelta(seconds=seconds))}."
            raise TooMany("too_many_requests", "Too many messages; this one wasn't posted.", hint)
        chat.post_message(self.match_id, self.genuine.user, text)
        self.tell("Your message was sent.")

    def check_arranging(self) -> None:
        """Raise an error if this email may not change settings. Each address allows it once, and only until the
        match ends, so that old emails can't be used for it."""
        if self.genuine.loaded.match.phase not in UNDER_WAY:
            raise Conflict("match_over", "The match has ended, so its emails can't change your settings.", ELSEWHERE)
        if InboundMail.objects.filter(notification=self.mail.notification_id, has_arranged=True).exists():
            raise Conflict("used_up", "You've already changed a setting by replying to that email.", LATEST)

    def tell_arranged(self, words: str) -> None:
        self.results.arranged += 1
        self.tell(words)

    def come_back(self) -> None:
        """Take the seat back, end the vacation, or both."""
        if not (self.genuine.seat.has_stand_in and self.genuine.loaded.match.phase == Phase.RUNNING):
            self.tell(self.end_vacation(must_have_begun=True))
            return
        stand_ins.come_back(self.match_id, self.genuine.user)
        self.reload()
        self.tell("You have your seat back. The stand-in has stopped playing for you.")
        with suppress(Refused):
            self.results.said.append(self.end_vacation(must_have_begun=True))

    def end_vacation(self, *, must_have_begun: bool) -> str:
        ended = vacations.end_next(self.genuine.user, must_have_begun=must_have_begun)
        if ended.pk:
            return f"Your vacation ends today, {ended.last_day}. Your clock starts again at midnight."
        return f"Your vacation from {ended.first_day} to {ended.last_day} is canceled."

    def decide(self, *, agreed: bool) -> None:
        """Vote on a proposal, but only on the one in the email that the player answered."""
        asked = self.mail.notification
        if asked.kind != NotificationKind.PROPOSAL:
            raise Conflict(
                "nothing_proposed", "That email isn't about a proposal.", "Reply to the email with the proposal."
            )
        if "proposal" not in asked.data:
            self.decide_on_the_end(agreed=agreed)
            return
        loaded, proposal = proposals.vote(self.match_id, self.genuine.user, asked.data["proposal"], agreed=agreed)
        self.reload()
        said, user = "You agreed." if agreed else "You declined.", self.genuine.user
        proposed, status = proposal_text(loaded, proposal, user), status_text(loaded, proposal, user)
        self.tell(f"{said} {proposed} {status}")

    def decide_on_the_end(self, *, agreed: bool) -> None:
        if agreed and not proposals.who_would_abandon(self.genuine.loaded):
            raise Conflict("settled", "Nobody is asking to end the match now.", "It continues.")
        loaded = proposals.vote_to_abandon(self.match_id, self.genuine.user, agreed=agreed)
        self.reload()
        if loaded.match.phase != Phase.RUNNING:
            self.tell("You agreed, and so did everyone else. The match has ended without a result.")
        else:
            self.tell("You agreed. Others haven't yet." if agreed else "You declined. The match continues.")

    def look(self, *, wants_log: bool) -> None:
        """Record the visit. The board is part of every answer anyway."""
        visits.record(self.genuine.loaded, self.genuine.user)
        self.note_question()
        if wants_log:
            self.results.log = self.log_after(turn=0)

    def log_after(self, turn: int) -> list[str]:
        """Return the latest events that this player may see."""
        loaded = self.genuine.loaded
        latest = loaded.match.events.filter(turn__gt=turn).order_by("-number")[:LOG_ENTRIES]
        shown = [presenters.event(event, loaded, self.genuine.seat).text for event in reversed(latest)]
        return [text for text in shown if text]

    def move(self, text: str) -> None:
        if self.why_no_more:
            self.refuse(f"{self.named(text)} wasn't played{self.why_no_more}")
            return
        actor = Actor(Source.MAIL, self.genuine.user)
        self.note_result(text, submit_to(self.genuine.loaded, self.genuine.seat, actor, text, self.turn))

    def named(self, text: str) -> str:
        """Name a move for the answer. A sealed move is never repeated in mail, even if it was refused."""
        engine = self.genuine.loaded.engine
        move = engine.parse(text)
        return "Your sealed move" if isinstance(move, engine.sealed_moves) else f"Your move '{engine.notation(move)}'"

    def unreadable(self, line: str) -> str:
        """Report a line that can't be read. In games with sealed moves, the line isn't repeated, because it may be a
        sealed move with a typo."""
        if self.genuine.loaded.engine.sealed_moves:
            return "We couldn't read one of your lines."
        return f"We couldn't read '{cut(printable(line), MOST_QUOTED)}'."

    def note_result(self, text: str, result: MoveResult) -> None:
        if isinstance(result, MoveAccepted):
            self.note_move(result)
            return
        if result.code == "stale":
            self.note_what_changed()
        self.refuse(f"{self.named(text)} wasn't played. {result.message} {result.hint}")

    def note_what_changed(self) -> None:
        self.results.is_stale = True
        self.results.changed = self.log_after(self.turn)
        self.results.told_through = self.genuine.loaded.match.events_made

    def note_move(self, made: MoveAccepted) -> None:
        self.results.moves_made += 1
        self.tell(words_for(made.move, is_last=made.turn > self.turn))
        self.results.happened += [event.text for event in made.events]
        self.results.told_through = max([event.number for event in made.events], default=0)
        self.why_no_more = self.end_after(made)
        self.turn = made.turn

    def end_after(self, made: MoveAccepted) -> str:
        """Return why no more moves are played after this one, as the end of a sentence, or an empty string if more
        can be played."""
        if made.move.sealed:
            return ": nothing can be played after a sealed move in the same email."
        if not made.awaiting:
            return ": the match has ended."
        if self.genuine.seat.number not in made.awaiting:
            names = listing([self.genuine.loaded.names[number] for number in made.awaiting])
            return f": it's no longer your turn. The match is waiting for {names}."
        if made.turn - self.turn > 1:
            return ": others have played since. Look at the board first."
        return ""

    def refuse(self, words: str) -> None:
        self.results.said.append(words.strip())
        self.results.moves_refused += 1
        self.why_no_more = self.why_no_more or " because the move before it wasn't."


def words_for(move: MadeMove, *, is_last: bool) -> str:
    """Describe a move that was made. A sealed move isn't repeated in mail."""
    if not move.sealed:
        return f"You played: {unbroken(move.notation)}."
    accepted = f"Your sealed move was accepted. Its receipt is {move.receipt}."
    return accepted if is_last else f"{accepted} You can replace it until everyone has moved by replying to this email."


def printable(line: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in line)


def carry_out(mail: InboundMail, genuine: Genuine, commands: tuple[Command, ...]) -> Results:
    runner = CommandRunner(mail, genuine, mail.turn, Results())
    for command in commands:
        try:
            with transaction.atomic():
                runner.do(command)
        except Refused as refused:
            runner.results.said.append(f"{refused.message} {refused.hint}".strip())
    return runner.results
