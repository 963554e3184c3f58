"""The orders of one reply, one after another, through the same services that the API calls.

A turn of several steps may be played in one mail: each further move is made on the turn that the one before led to, as
long as nobody else has done anything in between. After a move that was refused, or that is sealed, no more are made.
"""

from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import Any

import msgspec
from django.db import transaction

from accounts import vacations
from games import lobby, showing, talk, visits
from games.answers import Answer
from games.clock import agreements, stand_ins, words
from games.engine.text import cut, listing
from games.mail import silence
from games.mail.inbound.judging import Genuine
from games.mail.inbound.orders import (
    Agree,
    Back,
    Board,
    Help,
    Log,
    Mute,
    MuteOff,
    Order,
    PlayMove,
    Refuse,
    Say,
    Unreadable,
    Vacation,
    VacationOff,
)
from games.mail.letter import unbroken
from games.models import InboundMail, Phase
from games.models.notice import NoticeKind
from games.play import Submission, submit
from games.table import lay_table
from rest.refusal import Refused
from rest.throttles import seconds_to_wait

LOG_ENTRIES = 20
MOST_QUOTED = 60
BY_MAIL = "mail"
UNDER_WAY = (Phase.GATHERING, Phase.RUNNING)
ELSEWHERE = "Use the API or the command line: turnpost notify, turnpost notify vacation."
LATEST = "Answer our latest mail instead."


class Results(msgspec.Struct):
    """What became of the orders, as the answer tells it."""

    said: list[str] = []
    """A sentence or two for each order."""
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

    def do(self, order: Order) -> None:
        match order:
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
                self.decide(agreed=isinstance(order, Agree))
            case Mute():
                self.check_arranging()
                silence.mute(self.match_id, self.genuine.user, muted=True)
                self.tell_arranged("You get no more mail about this match. To undo it, answer this mail with: mute off")
            case MuteOff():
                silence.mute(self.match_id, self.genuine.user, muted=False)
                self.tell("You get mail about this match again.")
            case Board() | Log():
                self.look(wants_log=isinstance(order, Log))
            case Help():
                self.results.wants_help = True
                self.note_question()
            case Unreadable(line=line, hint=hint):
                self.results.said.append(f"{self.not_understood(line)} {hint}")
                self.results.wants_help = True

    @property
    def match_id(self) -> str:
        return self.genuine.table.match.id

    def tell(self, words: str) -> None:
        self.results.said.append(words)
        self.results.done += 1

    def note_question(self) -> None:
        self.results.done += 1
        self.results.asked += 1

    def say(self, text: str) -> None:
        """No more often than by the API, and counted together with it."""
        if seconds := seconds_to_wait("message", str(self.genuine.user.pk)):
            hint = f"Say it again in {ceil(seconds)} seconds."
            raise Refused(429, "too_many_requests", "You have said too much at once: this was not told.", hint)
        talk.say(self.match_id, self.genuine.user, text)
        self.tell("What you said was told to the others.")

    def check_arranging(self) -> None:
        """An address does it once, and until the match is over, so that an old mail is no key to one's calendar."""
        if self.genuine.table.match.phase not in UNDER_WAY:
            raise Refused(409, "match_over", "The match is over, so its mails do no more than talk.", ELSEWHERE)
        if InboundMail.objects.filter(notice=self.mail.notice_id, has_arranged=True).exists():
            raise Refused(409, "used_up", "That mail has been used for such an order before.", LATEST)

    def tell_arranged(self, words: str) -> None:
        self.results.arranged += 1
        self.tell(words)

    def come_back(self) -> None:
        """To one's seat in this match, and from a vacation: whichever one is away from, or from both."""
        if not (self.genuine.seat.has_stand_in and self.genuine.table.match.phase == Phase.RUNNING):
            self.tell(self.end_vacation(must_have_begun=True))
            return
        stand_ins.come_back(self.match_id, self.genuine.user)
        self.tell("You have your seat back: no stand-in plays for you any more.")
        with suppress(Refused):
            self.results.said.append(self.end_vacation(must_have_begun=True))

    def end_vacation(self, *, must_have_begun: bool) -> str:
        ended = vacations.end_next(self.genuine.user, must_have_begun=must_have_begun)
        if ended.pk:
            return f"Your vacation ends today, on {ended.last_day}. Your clock rests until midnight."
        return f"Your vacation from {ended.first_day} to {ended.last_day} is taken back."

    def decide(self, *, agreed: bool) -> None:
        """Only on what this very notice has asked: its address is bound to it, and with that to player and match."""
        asked = self.mail.notice
        if asked.kind != NoticeKind.PROPOSAL:
            raise Refused(409, "nothing_proposed", "That mail proposes nothing.", "Answer the one that does.")
        if "proposal" not in asked.data:
            self.decide_on_the_end(agreed=agreed)
            return
        table, proposal = agreements.vote(self.match_id, self.genuine.user, asked.data["proposal"], agreed=agreed)
        said = "You have agreed" if agreed else "You have refused"
        self.tell(f"{said}. {words.wish_of(table, proposal)} {words.verdict_of(table, proposal)}")

    def decide_on_the_end(self, *, agreed: bool) -> None:
        if agreed and not agreements.who_would_abandon(self.genuine.table):
            raise Refused(409, "settled", "Nobody would end the match any more.", "It goes on.")
        table = lobby.note_wish_to_abandon(self.match_id, self.genuine.user, agreed=agreed)
        if table.match.phase != Phase.RUNNING:
            self.tell("You have agreed, and so have all others: the match has ended without a result.")
        else:
            self.tell("You have agreed. Others have not yet." if agreed else "You have refused: the match goes on.")

    def look(self, *, wants_log: bool) -> None:
        """The board is in every answer."""
        table = lay_table(self.match_id)
        visits.note(table, self.genuine.user)
        self.note_question()
        if wants_log:
            self.results.log = self.log_after(turn=0)

    def log_after(self, turn: int) -> list[str]:
        """The latest that this player may know."""
        table = lay_table(self.match_id)
        latest = table.match.events.filter(turn__gt=turn).order_by("-number")[:LOG_ENTRIES]
        shown = [showing.event(event, table, self.genuine.seat)["text"] for event in reversed(latest)]
        return [text for text in shown if text]

    def move(self, text: str) -> None:
        if self.why_no_more:
            self.refuse(f"{self.named(text)} was not made{self.why_no_more}")
            return
        self.take(text, submit(self.match_id, self.genuine.user, self.submission(text)))

    def named(self, text: str) -> str:
        """What is to be sealed is not repeated in mail, whether or not it was taken."""
        engine = self.genuine.table.engine
        move = engine.parse(text)
        return "Your sealed move" if isinstance(move, engine.sealed_moves) else f"Your move '{engine.notation(move)}'"

    def not_understood(self, line: str) -> str:
        """Where moves are sealed, any line may be one with a slip of the pen."""
        if self.genuine.table.engine.sealed_moves:
            return "There is a line that cannot be understood."
        return f"There is a line that cannot be understood: '{cut(printable(line), MOST_QUOTED)}'."

    def submission(self, text: str) -> Submission:
        number = self.results.moves_made + self.results.moves_refused
        return Submission(text, self.turn, f"mail-{self.mail.pk}-{self.mail.fingerprint[:40]}-{number}", BY_MAIL)

    def take(self, text: str, answer: Answer) -> None:
        body = msgspec.json.decode(answer.body)
        if answer.status == 200:
            self.note_move(body)
            return
        if body["code"] == "stale":
            self.note_what_changed()
        self.refuse(f"{self.named(text)} was not made. {body['message']} {body['hint']}")

    def note_what_changed(self) -> None:
        self.results.is_stale = True
        self.results.changed = self.log_after(self.turn)
        self.results.told_through = self.genuine.table.match.events_made

    def note_move(self, body: dict[str, Any]) -> None:
        self.results.moves_made += 1
        self.tell(words_for(body["move"], is_last=body["turn"] > self.turn))
        self.results.happened += [event["text"] for event in body["events"]]
        self.results.told_through = max([event["number"] for event in body["events"]], default=0)
        self.why_no_more = self.end_after(body)
        self.turn = body["turn"]

    def end_after(self, body: dict[str, Any]) -> str:
        """Why nothing more is played after this move, as the end of a sentence; empty if more may be."""
        if body["move"]["sealed"]:
            return ": after a sealed move no other is made by the same mail."
        if not body["awaiting"]:
            return ": the match is over."
        if self.genuine.seat.number not in body["awaiting"]:
            waits_for = listing([self.genuine.table.names[number] for number in body["awaiting"]])
            return f": it is not your turn any more, now the match waits for {waits_for}."
        if body["turn"] - self.turn > 1:
            return ": others have acted since, so look at the board first."
        return ""

    def refuse(self, words: str) -> None:
        self.results.said.append(words.strip())
        self.results.moves_refused += 1
        self.why_no_more = self.why_no_more or ", as it would have come after that."


def words_for(move: dict[str, Any], *, is_last: bool) -> str:
    """What was sealed is not repeated in mail, but for what the others see of it when the last one is in."""
    if not move["sealed"]:
        return f"Your move was made: {unbroken(move['notation'])}."
    taken = f"Your sealed move was taken. Its receipt is {move['receipt']}."
    return taken if is_last else f"{taken} Until the last one is in you can replace it: answer this mail."


def printable(line: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in line)


def carry_out(mail: InboundMail, genuine: Genuine, orders: tuple[Order, ...]) -> Results:
    errand = Errand(mail, genuine, mail.turn, Results())
    for order in orders:
        try:
            with transaction.atomic():
                errand.do(order)
        except Refused as refused:
            errand.results.said.append(f"{refused.message} {refused.hint}".strip())
    return errand.results
