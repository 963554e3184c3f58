"""Show a match once, after every change, or with a prompt for a move."""

import json
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from cli.command import EXAMPLE_MATCH, MatchId, RequiredMatchId, Result, command
from cli.fairness_notes import reveal_salts
from cli.interactive import play_turns
from cli.match_fetch import FetchedMatch, complete_match_id, fetch_from_server, fetch_match, resolve_match_id
from cli.match_screen import match_screen
from cli.problems import Refused, Unreachable
from cli.render import match as render
from cli.render.style import Style
from cli.session import Session
from cli.terminal import display, draws_in_place, full_screen, write

ENDED = ("finished", "abandoned", "cancelled", "expired")
timer = threading.Event()
"""An event that is never set. It is used only to wait with a timeout."""
Prompt = Annotated[bool, typer.Option("--ask/--no-ask", help="Prompt for a move if it's your turn.")]


@command("turnpost next", "turnpost next --skip", "turnpost next --no-ask")
def next_match(
    session: Session,
    ask: Prompt = True,
    skip: Annotated[bool, typer.Option("--skip", help="Skip the current match and go to the one after it.")] = False,
) -> Result | None:
    """Go to the match that has been waiting for you longest.

    Shows the board, what happened since you last looked, and your moves. It becomes your current match.
    """
    reveal_salts(session.store, session.server)
    waiting = [match["id"] for match in session.server.get("matches", which="waiting")["results"]]
    if skip and session.store.current in waiting:
        after = waiting.index(session.store.current) + 1
        waiting = [*waiting[after:], *waiting[: after - 1]]
    if not waiting:
        text = "No other match is waiting for you." if skip else "No matches are waiting for you."
        return Result({"match": None}, lambda _style: f"{text} Your matches: turnpost matches")
    session.store.set_current(waiting[0])
    return show_match(session, waiting[0], ask)


@command(f"turnpost board {EXAMPLE_MATCH}", "turnpost board --style speech")
def board(session: Session, match: MatchId = None, ask: Prompt = True) -> Result | None:
    """Show a match.

    If you are offline, you see the board you last saw and how old it is.
    """
    return show_match(session, resolve_match_id(session, match), ask)


def show_match(session: Session, match_id: str, prompt: bool) -> Result | None:
    fetched = fetch_match(session, match_id)
    if prompt and session.interactive and fetched.choices and fetched.seen_at is None:
        play_turns(session, fetched)
        return None
    data = {
        "match": fetched.match,
        "choices": fetched.choices,
        "news": [one.text for one in fetched.news],
        "seen_at": fetched.seen_at,
    }
    return Result(data, lambda _style: match_screen(session, fetched))


@command(f"turnpost moves {EXAMPLE_MATCH}", "turnpost moves --json")
def moves(session: Session, match: MatchId = None) -> Result:
    """List your possible moves."""
    fetched = fetch_match(session, resolve_match_id(session, match))
    if fetched.choices is None and fetched.has_stand_in:
        back = f"Take your seat back: turnpost back {fetched.match['id']}"
        raise Refused("stand_in_plays", "A stand-in is playing your seat.", back)
    if fetched.choices is None:
        raise Refused("not_your_turn", "It isn't your turn in this match.", "See what's waiting: turnpost status")
    data = {"match": fetched.match["id"], **fetched.choices, "seen_at": fetched.seen_at}
    return Result(data, lambda style: moves_text(fetched, style))


def moves_text(fetched: FetchedMatch, style: Style) -> str:
    parts = [
        render.offline_notice(fetched, style),
        render.choices(fetched.choices, style),
        render.next_command(fetched),
    ]
    return "\n\n".join(filter(None, parts))


@command(f"turnpost use {EXAMPLE_MATCH}")
def use(session: Session, match: RequiredMatchId) -> Result:
    """Set the current match.

    Shows the board. After that, `turnpost take 2` plays a move in this match.
    """
    fetched = fetch_match(session, complete_match_id(session, match))
    session.store.set_current(fetched.match["id"])
    data = {"current": fetched.match["id"], "match": fetched.match, "choices": fetched.choices}
    return Result(data, lambda _style: match_screen(session, fetched, "This is your current match now."))


@command(f"turnpost watch {EXAMPLE_MATCH} --once", f"turnpost watch {EXAMPLE_MATCH} --until-my-turn")
def watch(
    session: Session,
    match: MatchId = None,
    every: Annotated[
        float, typer.Option("--every", min=0.2, help="Seconds between requests for matches you aren't playing in.")
    ] = 3.0,
    until_my_turn: Annotated[
        bool, typer.Option("--until-my-turn", help="Exit when it's your turn or a stand-in is playing for you.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Show the match once and exit.")] = False,
) -> None:
    """Watch a match and show it again when something happens.

    In your own matches, changes appear immediately. Other matches are checked every few seconds. With --json, each
    change is printed on one line. To stop, press Ctrl-C.
    """
    watched = Watch(session, resolve_match_id(session, match), every)
    try:
        with nullcontext() if once else full_screen(session):
            watched.follow(until_my_turn=until_my_turn, once=once)
    finally:
        if watched.fetched and draws_in_place(session):
            display(session, match_screen(session, watched.fetched))


class Watch:
    """A match that is shown again after each change."""

    def __init__(self, session: Session, match_id: str, every: float) -> None:
        self.session = session
        self.match_id = match_id
        self.every = every
        self.fetched: FetchedMatch | None = None

    def follow(self, *, until_my_turn: bool, once: bool) -> None:
        etag, news = "", None
        while True:
            changed = fetch_change(self.session, self.match_id, etag)
            if changed:
                self.fetched, etag = changed
                if once and draws_in_place(self.session):
                    return
                print_change(self.session, self.fetched)
                has_ended = self.fetched.match["phase"] in ENDED
                if once or has_ended or (until_my_turn and needs_player(self.fetched)):
                    return
                if news is None and self.fetched.match["joined"] and self.fetched.match["phase"] == "running":
                    news = news_of(self.session, self.match_id)
            if news is None:
                timer.wait(self.every)
            else:
                next(news)


def news_of(session: Session, match_id: str) -> Iterator[None] | None:
    """Connect to the event stream, and yield after each event in this match.

    Return None if the server has no stream.
    """
    from turnpost.stream import follow

    try:
        events = follow(session.server)
    except (Refused, Unreachable):
        return None
    # Check once after each new connection, because earlier events may have been missed.
    return (None for event in events if event.match in (None, match_id))


def needs_player(fetched: FetchedMatch) -> bool:
    """Return whether the player has to move or take their seat back from a stand-in."""
    return fetched.is_my_turn or fetched.has_stand_in


def fetch_change(session: Session, match_id: str, etag: str) -> tuple[FetchedMatch, str] | None:
    """Return the match and its ETag, or None if it hasn't changed.

    Network errors are raised only for the first request. After that, they are just reported.
    """
    try:
        changed = session.public_server.get_changed(f"matches/{match_id}", etag)
        return (fetch_from_server(session, match_id), changed[1] or "unknown") if changed else None
    except Unreachable as problem:
        if not etag:
            raise
        session.inform(problem.message)
        return None


def print_change(session: Session, fetched: FetchedMatch) -> None:
    if session.json:
        change: dict[str, Any] = {
            "match": fetched.match,
            "choices": fetched.choices,
            "news": [one.text for one in fetched.news],
        }
        write(json.dumps(change) + "\n")
    elif session.is_full_screen:
        display(session, match_screen(session, fetched, next_step=waiting_text(fetched)))
    else:
        write(f"{render.screen(fetched, session.style)}\n")


def waiting_text(fetched: FetchedMatch) -> str:
    turn = f"{render.whose_turn(fetched)} " if fetched.match["phase"] == "running" else ""
    return f"{turn}(Ctrl-C to stop)"
