"""Fetch a match from the server, or fall back to the last snapshot when the server is unreachable."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from cli.client import MAX_PAGE_SIZE
from cli.fairness_notes import note_match, reveal_salt
from cli.local_store import Document, valid_match_id
from cli.problems import Refused, Unreachable, Usage
from cli.sanitize import one_line
from cli.session import Session
from cli.user_names import player_name
from games.engine.errors import EngineError
from games.engine.names import Names
from games.engine.registry import AnyEngine, engine

MOST_MESSAGES = 5
OWN_MATCHES = ("finished", "invited", "mine")
COMPLETE_ID = re.compile("[a-z0-9]{9}")
HAS_DIGIT = re.compile("[0-9]")
"""A nine-letter word, such as Wednesday, is more likely a title than an ID."""
NO_EVENTS = 2**31 - 1
"""A number higher than that of any event. It is used for a player who sees a match for the first time, so that no event
counts as news."""


class News(NamedTuple):
    """An event that the player may see."""

    text: str
    is_on_board: bool = False
    """Whether the board also shows the event. If so, it can be left out when there is little room."""
    kind: str = ""
    board_stage: str = ""
    """The phase in which the board shows the latest event of this kind, or "over"."""
    importance: int = 1
    """From 0, for events that are left out first if there is little room, to 2, for those that are left out last."""


@dataclass(frozen=True)
class FetchedMatch:
    match: Document
    choices: Document | None
    """The player's possible moves, or None if they have none."""
    seen_at: str | None = None
    """When the snapshot was taken, or None if the match came from the server."""
    news: tuple[News, ...] = ()
    """The events since the player last looked."""
    messages: tuple[Document, ...] = ()
    """The messages that others have written since then, starting with the oldest."""

    @property
    def names(self) -> Names:
        seats = self.match["seats"]
        names = tuple([one_line(player_name(seat["player"])) for seat in seats])
        resigned = frozenset(number for number, seat in enumerate(seats) if seat.get("resigned"))
        return Names(names, self.match["you"], resigned=resigned)

    @property
    def is_my_turn(self) -> bool:
        return self.match["you"] is not None and self.match["you"] in self.match["awaiting"]

    @property
    def own_seat(self) -> Document | None:
        you = self.match["you"]
        return next((seat for seat in self.match["seats"] if you is not None and seat["seat"] == you), None)

    @property
    def has_stand_in(self) -> bool:
        """Whether a stand-in is playing the player's seat. In that case, it is never the player's turn."""
        return bool(self.own_seat and self.own_seat["stand_in"])


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
    """Fetch the match and everything that is new to the player, in one request."""
    before = session.store.snapshot(match_id)
    known = before["match"] if before else {}
    params = {
        "events": (known.get("fairness") or {}).get("events", NO_EVENTS),
        "messages": known.get("message_count") or 0,
    }
    updates = session.public_server.get(f"matches/{match_id}/updates", **params)
    if updates["match"]["id"] != match_id:
        # Its board would be recorded for the other match, and not for this one.
        message = "The server returned an unexpected response: it's about another match."
        raise Refused("other_match", message, "Try again. If it happens again, contact the operator.")
    note_match(session.store, updates["match"])
    match = reveal_salt(session.store, session.public_server, updates["match"])
    choices = updates["choices"] if can_move(updates["choices"]) else None
    session.store.save_snapshot(match, choices)
    messages = from_others(updates["messages"], match)
    return FetchedMatch(match, choices, news=read_news(updates["events"], match), messages=messages)


def can_move(choices: Document | None) -> bool:
    """Return whether the player has any moves. A sealed move can be replaced even if it isn't the player's turn."""
    return bool(choices and (choices["moves"] or choices["forms"]))


def read_news(events: list[Document], match: Document) -> tuple[News, ...]:
    """Read events from the log. A client that is too old for the game doesn't know which events its board shows."""
    try:
        rules: AnyEngine | None = engine(match["game"], match["rules"])
    except EngineError:
        rules = None
    return tuple(read_event(event, rules, match["you"]) for event in events if event["text"])


def read_event(event: Document, rules: "AnyEngine | None", you: int | None) -> News:
    kind, seat = event["event"]["event"], event["event"].get("seat")
    if rules is None:
        return News(event["text"])
    is_shown = rules.is_on_board(kind) or (rules.has_details_for_seat(kind) and you is not None and seat == you)
    importance = 2 if rules.is_news(kind) else 0 if rules.is_minor(kind) else 1
    return News(event["text"], is_shown, kind, rules.board_stage(kind), importance)


def from_others(messages: list[Document], match: Document) -> tuple[Document, ...]:
    """Return the latest messages of other players, starting with the oldest."""
    own = next((seat["player"] for seat in match["seats"] if seat["seat"] == match["you"]), None)
    return tuple(message for message in reversed(messages[:MOST_MESSAGES]) if message["author"] != own)


def resolve_match_id(session: Session, given: str | None) -> str:
    """Return the given match, the current match, or the only match in which it is the player's turn."""
    if given:
        return complete_match_id(session, given)
    if session.store.current:
        return session.store.current
    waiting = session.server.get("matches", which="waiting")["results"]
    if len(waiting) != 1:
        raise Usage("which_match", "Which match?", "List them: turnpost matches   Choose one: turnpost use ID")
    return valid_match_id(waiting[0]["id"])


def complete_match_id(session: Session, given: str) -> str:
    """Find a match by its ID or title, or the start of one of them, and return its ID.

    A complete ID is accepted even if it is unknown. Otherwise, ask the server if no known match fits.
    """
    name = given.strip().lower()
    fitting = find_known_matches(session, name)
    if not fitting and session.profile.token and not is_complete_id(name):
        remember_own_matches(session)
        fitting = find_known_matches(session, name)
    if len(fitting) > 1:
        raise Usage("which_match", f"'{name}' could be {' or '.join(sorted(fitting))}.", "Type more of the ID.")
    return valid_match_id(fitting[0] if fitting else name)


def is_complete_id(name: str) -> bool:
    return bool(COMPLETE_ID.fullmatch(name) and HAS_DIGIT.search(name))


def find_known_matches(session: Session, name: str) -> list[str]:
    known = session.store.known_matches()
    ways = (
        [one["id"] for one in known if one["id"] == name],
        [one["id"] for one in known if name and one["id"].startswith(name)],
        [one["id"] for one in known if one["title"].lower() == name != ""],
        [one["id"] for one in known if name and not is_complete_id(name) and one["title"].lower().startswith(name)],
    )
    return next(filter(None, ways), [])


def remember_own_matches(session: Session) -> None:
    found = [session.server.get("matches", which=which, limit=MAX_PAGE_SIZE) for which in OWN_MATCHES]
    session.store.remember_matches([match for page in found for match in page["results"]])
