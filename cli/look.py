"""Looking at a match: from the server, or as it was last seen when the server cannot be reached."""

from dataclasses import dataclass
from typing import Any

from cli.kept import proper_id
from cli.problems import Unreachable, Usage
from cli.session import Session

Document = dict[str, Any]


@dataclass(frozen=True)
class Look:
    match: Document
    choices: Document | None
    """What the player may do now; None when there is nothing."""
    seen_at: str | None = None
    """When it was seen, if it comes from memory."""
    news: tuple[str, ...] = ()
    """What happened since the look before."""

    @property
    def names(self) -> list[str]:
        return [player_name(seat["player"]) for seat in self.match["seats"]]

    @property
    def is_my_turn(self) -> bool:
        return self.match["you"] is not None and self.match["you"] in self.match["awaiting"]

    @property
    def own_seat(self) -> Document | None:
        you = self.match["you"]
        return next((seat for seat in self.match["seats"] if you is not None and seat["seat"] == you), None)

    @property
    def has_stand_in(self) -> bool:
        """Somebody else makes the player's moves, so they are never asked."""
        return bool(self.own_seat and self.own_seat["stand_in"])


def player_name(player: Document | None) -> str:
    return player["name"] if player else "departed player"


def look(session: Session, match_id: str, *, from_memory: bool = True) -> Look:
    """The match now, remembered as seen; what was remembered if the server cannot be reached."""
    try:
        return fetch(session, match_id)
    except Unreachable:
        remembered = session.kept.match(match_id) if from_memory else None
        if remembered is None:
            raise
        return Look(remembered["match"], remembered["choices"], remembered["seen_at"])


def fetch(session: Session, match_id: str) -> Look:
    before = session.kept.match(match_id)
    answer = session.visitor.get_changed(f"matches/{match_id}", "")
    match, etag = answer if answer else ({}, "")
    choices = what_one_may_do(session, match)
    news = what_happened(session, match_id, before["match"], match) if before else ()
    session.kept.keep_match(match, choices, etag)
    return Look(match, choices, news=news)


def what_one_may_do(session: Session, match: Document) -> Document | None:
    """Also when nothing is asked: a sealed move may still be replaced."""
    if match["you"] is None or match["phase"] != "running":
        return None
    choices: Document = session.visitor.get(f"matches/{match['id']}/choices")
    return choices if choices["moves"] or choices["forms"] else None


def what_happened(session: Session, match_id: str, before: Document, now: Document) -> tuple[str, ...]:
    """The events since the last look that the player may know, as sentences."""
    known = (before.get("fairness") or {}).get("events") or 0
    if known >= ((now.get("fairness") or {}).get("events") or 0):
        return ()
    events = session.visitor.pages(f"matches/{match_id}/log", since=known)
    return tuple(event["text"] for event in events if event["text"])


def which_match(session: Session, given: str | None) -> str:
    """The match that is meant: by its id, the beginning of one seen before, or the current one."""
    if given:
        return known_match(session, given.lower())
    if session.kept.current:
        return session.kept.current
    waiting = session.server.get("matches", which="waiting")["results"]
    if len(waiting) != 1:
        raise Usage(
            "which_match", "Which match do you mean?", "List them: turnpost matches   Choose one: turnpost use ID"
        )
    return proper_id(waiting[0]["id"])


def known_match(session: Session, begins: str) -> str:
    known = [document["match"]["id"] for document in session.kept.matches()]
    fitting = [match_id for match_id in known if match_id.startswith(begins)]
    if len(fitting) > 1 and begins not in fitting:
        raise Usage("which_match", f"'{begins}' may be {' or '.join(sorted(fitting))}.", "Write more of it.")
    return fitting[0] if len(fitting) == 1 else proper_id(begins)
