"""Fetch a match from the server, or fall back to the last snapshot when the server is unreachable."""

from dataclasses import dataclass

from cli.fairness_notes import note_match, reveal_salt
from cli.local_store import Document, valid_match_id
from cli.problems import Unreachable, Usage
from cli.sanitize import one_line
from cli.session import Session
from games.engine.names import Names


@dataclass(frozen=True)
class FetchedMatch:
    match: Document
    choices: Document | None
    """The player's possible moves, or None if there are none."""
    seen_at: str | None = None
    """When the snapshot was taken, or None if the match came from the server."""
    news: tuple[str, ...] = ()
    """What happened since the player last looked."""

    @property
    def names(self) -> Names:
        return Names(tuple([one_line(player_name(seat["player"])) for seat in self.match["seats"]]), self.match["you"])

    @property
    def is_my_turn(self) -> bool:
        return self.match["you"] is not None and self.match["you"] in self.match["awaiting"]

    @property
    def own_seat(self) -> Document | None:
        you = self.match["you"]
        return next((seat for seat in self.match["seats"] if you is not None and seat["seat"] == you), None)

    @property
    def has_stand_in(self) -> bool:
        """Whether a stand-in is playing the player's seat. If so, it is never the player's turn."""
        return bool(self.own_seat and self.own_seat["stand_in"])


def player_name(player: Document | None) -> str:
    return player["name"] if player else "departed player"


def fetch_match(session: Session, match_id: str, *, offline_ok: bool = True) -> FetchedMatch:
    """Return the match as it is now, or the last snapshot if the server can't be reached."""
    try:
        return fetch_from_server(session, match_id)
    except Unreachable:
        snapshot = session.store.snapshot(match_id) if offline_ok else None
        if snapshot is None:
            raise
        return FetchedMatch(snapshot["match"], snapshot["choices"], snapshot["seen_at"])


def fetch_from_server(session: Session, match_id: str) -> FetchedMatch:
    before = session.store.snapshot(match_id)
    response = session.public_server.get_changed(f"matches/{match_id}", "")
    match, etag = response if response else ({}, "")
    note_match(session.store, match)
    match = reveal_salt(session.store, session.public_server, match)
    choices = fetch_choices(session, match)
    news = fetch_news(session, match_id, before["match"], match) if before else ()
    session.store.save_snapshot(match, choices, etag)
    return FetchedMatch(match, choices, news=news)


def fetch_choices(session: Session, match: Document) -> Document | None:
    """Fetch the moves even if it isn't the player's turn: a sealed move can still be replaced."""
    if match["you"] is None or match["phase"] != "running":
        return None
    choices: Document = session.public_server.get(f"matches/{match['id']}/choices")
    return choices if choices["moves"] or choices["forms"] else None


def fetch_news(session: Session, match_id: str, before: Document, now: Document) -> tuple[str, ...]:
    """Return the events since the last snapshot that the player may see, as text."""
    known = (before.get("fairness") or {}).get("events") or 0
    if known >= ((now.get("fairness") or {}).get("events") or 0):
        return ()
    events = session.public_server.pages(f"matches/{match_id}/log", since=known)
    return tuple(event["text"] for event in events if event["text"])


def resolve_match_id(session: Session, given: str | None) -> str:
    """Return the given id, the current match, or the only match in which it is the player's turn."""
    if given:
        return complete_match_id(session, given.lower())
    if session.store.current:
        return session.store.current
    waiting = session.server.get("matches", which="waiting")["results"]
    if len(waiting) != 1:
        raise Usage("which_match", "Which match?", "List them: turnpost matches   Choose one: turnpost use ID")
    return valid_match_id(waiting[0]["id"])


def complete_match_id(session: Session, prefix: str) -> str:
    """Complete the id of a match seen before."""
    known = [snapshot["match"]["id"] for snapshot in session.store.snapshots()]
    fitting = [match_id for match_id in known if match_id.startswith(prefix)]
    if len(fitting) > 1 and prefix not in fitting:
        raise Usage("which_match", f"'{prefix}' could be {' or '.join(sorted(fitting))}.", "Type more of the id.")
    return fitting[0] if len(fitting) == 1 else valid_match_id(prefix)
