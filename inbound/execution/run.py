"""State shared by all commands in a reply: its author, the turn for the next move, and the results so far."""

from dataclasses import dataclass, replace

from core.refusals import Conflict
from games.models import Phase
from games.selectors import access, match_log, presenters
from games.selectors.loading import load_match
from inbound.authentication import Genuine
from inbound.execution.results import Results
from inbound.models import InboundMail
from inbound.reading.position import Position

LOG_ENTRIES = 20
UNDER_WAY = (Phase.GATHERING, Phase.RUNNING)
ELSEWHERE = "Use the API or the command line: turnpost notify or turnpost vacation."
LATEST = "Reply to our latest email instead."


@dataclass
class Run:
    mail: InboundMail
    genuine: Genuine
    turn: int
    """The turn on which the next move is played."""
    results: Results
    position: Position
    why_no_more: str = ""
    """Why no more moves are played, as the end of a sentence. It is empty if more moves can be played."""
    orders_said: str = ""
    """The sentence about the player's standing orders. Only the last such sentence is part of the answer."""

    @property
    def match_id(self) -> str:
        return self.genuine.loaded.match.id

    def reload(self) -> None:
        """Load the match again after a service has changed it."""
        loaded = load_match(self.match_id, lock=True)
        self.genuine = replace(self.genuine, loaded=loaded, seat=access.own_seat(loaded, self.genuine.user))

    def tell(self, words: str) -> None:
        self.results.said.append(words)
        self.results.done += 1

    def note_question(self) -> None:
        self.results.done += 1
        self.results.asked += 1

    def check_arranging(self) -> None:
        """Raise an error if this email is not allowed to change settings.

        Each reply address can change settings only once, and only until the match ends, so that old emails can't be
        misused.
        """
        if self.genuine.loaded.match.phase not in UNDER_WAY:
            raise Conflict("match_over", "The match has ended, so its emails can't change your settings.", ELSEWHERE)
        if InboundMail.objects.filter(notification=self.mail.notification_id, has_arranged=True).exists():
            raise Conflict("used_up", "You've already changed a setting by replying to that email.", LATEST)

    def tell_arranged(self, words: str) -> None:
        self.results.arranged += 1
        self.tell(words)

    def log_after(self, turn: int) -> list[str]:
        """Return the latest events that this player may see."""
        loaded = self.genuine.loaded
        latest = match_log.events(loaded, after_turn=turn, newest_first=True, most=LOG_ENTRIES)
        shown = [presenters.event(event, loaded, self.genuine.seat).text for event in reversed(latest)]
        return [text for text in shown if text]
