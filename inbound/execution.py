"""The commands of one reply, one after another, through the same services that the API calls.

A turn of several steps may be played in one mail: each further move is made on the turn that the one before led to, as
long as nobody else has done anything in between. After a move that was refused, or that is sealed, no more are made.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from django.db import transaction

from clock import proposal_rules, proposals, stand_ins, vacations
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
ELSEWHERE = "Use the API or the command line: turnpost notify, turnpost notify vacation."
LATEST = "Answer our latest mail instead."


class Results(msgspec.Struct):
    """What became of the commands, as the answer tells it."""

    said: list[str] = []
    """A sentence or two for each command."""
    happened: list[str] = []
    changed: list[str] = []
    """What happened since the mail that was answered too late."""
    told_through: int = 0
    """The number of the last event among what happened or changed."""
    log: list[str] = []
    done: int = 0
    asked: int = 0
    """How many of those only wanted to know something."""
    arranged: int = 0
    """How many of them ended mail or planned a vacation."""
    moves_made: int = 0
    moves_refused: int = 0
    wants_help: bool = False
    is_stale: bool = False


@dataclass
class Errand:
    """One reply under way: on which turn its next move is made, or why it makes no more."""

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
                self.tell_arranged(f"Your vacation from {first} to {last} is planned; your clock rests then.")
            case VacationOff():
                self.tell(self.end_vacation(must_have_begun=False))
            case Back():
                self.come_back()
            case Agree() | Refuse():
                self.decide(agreed=isinstance(command, Agree))
            case Mute():
                self.check_arranging()
                unsubscribe.mute(self.match_id, self.genuine.user, muted=True)
                self.tell_arranged("You get no more mail about this match. To undo it, answer this mail with: mute off")
            case MuteOff():
                unsubscribe.mute(self.match_id, self.genuine.user, muted=False)
                self.tell("You get mail about this match again.")
            case Board() | Log():
                self.look(wants_log=isinstance(command, Log))
            case Help():
                self.results.wants_help = True
                self.note_question()
            case Unreadable(line=line, hint=hint):
                self.results.said.append(f"{self.not_understood(line)} {hint}")
                self.results.wants_help = True

    def reload(self) -> None:
        """After a command that loaded and changed the match by itself."""
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
        """No more often than by the API, and counted together with it."""
        if seconds := seconds_to_wait("message", str(self.genuine.user.pk)):
            hint = f"Try again in {rounded(timedelta(seconds=seconds))}."
            raise TooMany("too_many_requests", "You have said too much at once: this was not told.", hint)
        chat.post_message(self.match_id, self.genuine.user, text)
        self.tell("What you said was told to the others.")

    def check_arranging(self) -> None:
        """An address does it once, and until the match is over, so that an old mail is no key to one's calendar."""
        if self.genuine.loaded.match.phase not in UNDER_WAY:
            raise Conflict("match_over", "The match is over, so its mails do no more than talk.", ELSEWHERE)
        if InboundMail.objects.filter(notification=self.mail.notification_id, has_arranged=True).exists():
            raise Conflict("used_up", "That mail has been used for such a command before.", LATEST)

    def tell_arranged(self, words: str) -> None:
        self.results.arranged += 1
        self.tell(words)

    def come_back(self) -> None:
        """To one's seat in this match, and from a vacation: whichever one is away from, or from both."""
        if not (self.genuine.seat.has_stand_in and self.genuine.loaded.match.phase == Phase.RUNNING):
            self.tell(self.end_vacation(must_have_begun=True))
            return
        stand_ins.come_back(self.match_id, self.genuine.user)
        self.reload()
        self.tell("You have your seat back: no stand-in plays for you any more.")
        with suppress(Refused):
            self.results.said.append(self.end_vacation(must_have_begun=True))

    def end_vacation(self, *, must_have_begun: bool) -> str:
        ended = vacations.end_next(self.genuine.user, must_have_begun=must_have_begun)
        if ended.pk:
            return f"Your vacation ends today, on {ended.last_day}. Your clock rests until midnight."
        return f"Your vacation from {ended.first_day} to {ended.last_day} is taken back."

    def decide(self, *, agreed: bool) -> None:
        """Only on what this notification asked: its address is bound to it, and so to the player and the match."""
        asked = self.mail.notification
        if asked.kind != NotificationKind.PROPOSAL:
            raise Conflict("nothing_proposed", "That mail proposes nothing.", "Answer the one that does.")
        if "proposal" not in asked.data:
            self.decide_on_the_end(agreed=agreed)
            return
        loaded, proposal = proposals.vote(self.match_id, self.genuine.user, asked.data["proposal"], agreed=agreed)
        self.reload()
        said = "You have agreed" if agreed else "You have refused"
        self.tell(f"{said}. {proposal_rules.wish_of(loaded, proposal)} {proposal_rules.verdict_of(loaded, proposal)}")

    def decide_on_the_end(self, *, agreed: bool) -> None:
        if agreed and not proposals.who_would_abandon(self.genuine.loaded):
            raise Conflict("settled", "Nobody would end the match any more.", "It goes on.")
        loaded = proposals.note_wish_to_abandon(self.match_id, self.genuine.user, agreed=agreed)
        self.reload()
        if loaded.match.phase != Phase.RUNNING:
            self.tell("You have agreed, and so have all others: the match has ended without a result.")
        else:
            self.tell("You have agreed. Others have not yet." if agreed else "You have refused: the match goes on.")

    def look(self, *, wants_log: bool) -> None:
        """The board is in every answer."""
        visits.note(self.genuine.loaded, self.genuine.user)
        self.note_question()
        if wants_log:
            self.results.log = self.log_after(turn=0)

    def log_after(self, turn: int) -> list[str]:
        """The latest that this player may know."""
        loaded = self.genuine.loaded
        latest = loaded.match.events.filter(turn__gt=turn).order_by("-number")[:LOG_ENTRIES]
        shown = [presenters.event(event, loaded, self.genuine.seat).text for event in reversed(latest)]
        return [text for text in shown if text]

    def move(self, text: str) -> None:
        if self.why_no_more:
            self.refuse(f"{self.named(text)} was not made{self.why_no_more}")
            return
        actor = Actor(Source.MAIL, self.genuine.user)
        self.note_result(text, submit_to(self.genuine.loaded, self.genuine.seat, actor, text, self.turn))

    def named(self, text: str) -> str:
        """What is to be sealed is not repeated in mail, whether or not it was taken."""
        engine = self.genuine.loaded.engine
        move = engine.parse(text)
        return "Your sealed move" if isinstance(move, engine.sealed_moves) else f"Your move '{engine.notation(move)}'"

    def not_understood(self, line: str) -> str:
        """Where moves are sealed, any line may be one with a slip of the pen."""
        if self.genuine.loaded.engine.sealed_moves:
            return "There is a line that cannot be understood."
        return f"There is a line that cannot be understood: '{cut(printable(line), MOST_QUOTED)}'."

    def note_result(self, text: str, result: MoveResult) -> None:
        if isinstance(result, MoveAccepted):
            self.note_move(result)
            return
        if result.code == "stale":
            self.note_what_changed()
        self.refuse(f"{self.named(text)} was not made. {result.message} {result.hint}")

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
        """Why nothing more is played after this move, as the end of a sentence; empty if more may be."""
        if made.move.sealed:
            return ": after a sealed move no other is made by the same mail."
        if not made.awaiting:
            return ": the match is over."
        if self.genuine.seat.number not in made.awaiting:
            waits_for = listing([self.genuine.loaded.names[number] for number in made.awaiting])
            return f": it is not your turn any more, now the match waits for {waits_for}."
        if made.turn - self.turn > 1:
            return ": others have acted since, so look at the board first."
        return ""

    def refuse(self, words: str) -> None:
        self.results.said.append(words.strip())
        self.results.moves_refused += 1
        self.why_no_more = self.why_no_more or ", as it would have come after that."


def words_for(move: MadeMove, *, is_last: bool) -> str:
    """What was sealed is not repeated in mail, but for what the others see of it when the last one is in."""
    if not move.sealed:
        return f"Your move was made: {unbroken(move.notation)}."
    taken = f"Your sealed move was taken. Its receipt is {move.receipt}."
    return taken if is_last else f"{taken} Until the last one is in you can replace it: answer this mail."


def printable(line: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in line)


def carry_out(mail: InboundMail, genuine: Genuine, commands: tuple[Command, ...]) -> Results:
    errand = Errand(mail, genuine, mail.turn, Results())
    for command in commands:
        try:
            with transaction.atomic():
                errand.do(command)
        except Refused as refused:
            errand.results.said.append(f"{refused.message} {refused.hint}".strip())
    return errand.results
