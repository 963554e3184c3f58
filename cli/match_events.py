"""Notice changes in a match as they happen, through the event stream."""

import threading
from collections.abc import Callable
from contextlib import suppress

from cli.client import Server
from cli.local_store import Document
from cli.problems import Problem, Unreachable
from cli.session import Session

CONNECT_SECONDS = 5.0


class MatchEvents:
    """Follows a match in the background. If the server has no event stream, this does nothing."""

    def __init__(self, session: Session, match: Document) -> None:
        self.session = session
        self.match_id = match["id"]
        self.known = summary(match)
        """What the player has seen in the match, as returned by `summary`."""
        self.known_turn = int(match["turn"])
        self.has_changed = threading.Event()
        self.on_change: Callable[[], None] | None = None
        """Called in the background after each change."""
        self.is_connected = False
        self.has_answered = threading.Event()
        """Set when the server has accepted or refused the connection."""
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self) -> None:
        from turnpost.stream import follow

        with suppress(Problem):
            try:
                events = follow(self.session.new_server())
                self.is_connected = True
            finally:
                self.has_answered.set()
            server = self.session.new_server()
            for event in events:
                # After each new connection, check once, because earlier events may have been missed.
                is_known = event.turn is not None and event.turn <= self.known_turn and event.kind == "move_made"
                if event.match in (None, self.match_id) and not is_known:
                    self.check(server)
        self.is_connected = False

    def check(self, server: Server) -> None:
        with suppress(Unreachable):
            if summary(server.get(f"matches/{self.match_id}")) == self.known:
                return
            self.has_changed.set()
            if on_change := self.on_change:
                on_change()

    def are_available(self) -> bool:
        self.has_answered.wait(CONNECT_SECONDS)
        return self.is_connected


def summary(match: Document) -> object:
    """Return a value that changes whenever there is something new to see."""
    stand_ins = [seat["stand_in"] for seat in match["seats"]]
    parts = (match["phase"], match["turn"], match["awaiting"], match["abandon"], match.get("paused_until"), stand_ins)
    return (*parts, match["fairness"]["events"], match.get("message_count"))
