"""Show a match once, after every change, or with a prompt to play."""

import json
import sys
import threading
from typing import Annotated, Any

import typer

from cli.command import EXAMPLE_MATCH, MatchId, RequiredMatchId, Result, command
from cli.fairness_notes import reveal_salts
from cli.interactive import play_turns
from cli.match_fetch import FetchedMatch, complete_match_id, fetch_from_server, fetch_match, resolve_match_id
from cli.problems import Refused, Unreachable
from cli.render import match as render
from cli.render.style import Style
from cli.session import Session

CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"
ENDED = ("finished", "abandoned", "cancelled", "expired")
timer = threading.Event()
"""Never set; used only to wait with a timeout."""
Prompt = Annotated[bool, typer.Option("--ask/--no-ask", help="Prompt for a move if it's your turn.")]


@command("turnpost next", "turnpost next --no-ask")
def next_match(session: Session, ask: Prompt = True) -> Result | None:
    """Go to the match that has been waiting for you longest.

    Shows the board, what happened since you last looked, and your moves. It becomes your current match.
    """
    reveal_salts(session.store, session.server)
    waiting = session.server.get("matches", which="waiting")["results"]
    if not waiting:
        return Result({"match": None}, lambda _style: "No matches are waiting for you. Your matches: turnpost matches")
    session.store.set_current(waiting[0]["id"])
    return show_match(session, waiting[0]["id"], ask)


@command(f"turnpost board {EXAMPLE_MATCH}", "turnpost board --style speech")
def board(session: Session, match: MatchId = None, ask: Prompt = True) -> Result | None:
    """Show a match.

    Offline, it shows the board you last saw and how old it is.
    """
    return show_match(session, resolve_match_id(session, match), ask)


def show_match(session: Session, match_id: str, prompt: bool) -> Result | None:
    fetched = fetch_match(session, match_id)
    if prompt and session.interactive and fetched.is_my_turn and fetched.seen_at is None:
        play_turns(session, fetched)
        return None
    data = {
        "match": fetched.match,
        "choices": fetched.choices,
        "news": list(fetched.news),
        "seen_at": fetched.seen_at,
    }
    return Result(data, lambda style: render.screen(fetched, style))


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

    Shows the board. After that, `turnpost take 2` plays in this match.
    """
    fetched = fetch_match(session, complete_match_id(session, match.lower()))
    session.store.set_current(fetched.match["id"])
    data = {"current": fetched.match["id"], "match": fetched.match, "choices": fetched.choices}
    return Result(data, lambda style: f"Your current match:\n\n{render.screen(fetched, style)}")


@command(f"turnpost watch {EXAMPLE_MATCH} --once", f"turnpost watch {EXAMPLE_MATCH} --until-my-turn")
def watch(
    session: Session,
    match: MatchId = None,
    every: Annotated[float, typer.Option("--every", min=0.2, help="Seconds between requests to the server.")] = 3.0,
    until_my_turn: Annotated[
        bool, typer.Option("--until-my-turn", help="Exit when it's your turn or a stand-in is playing for you.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Show it once and exit.")] = False,
) -> None:
    """Watch a match and show it again when something happens.

    Checks for changes every few seconds. With --json, prints one line per change. Stop with Ctrl-C.
    """
    match_id = resolve_match_id(session, match)
    etag = ""
    while True:
        changed = fetch_change(session, match_id, etag)
        if changed:
            fetched, etag = changed
            print_change(session, fetched)
            if once or fetched.match["phase"] in ENDED or (until_my_turn and needs_player(fetched)):
                return
        timer.wait(every)


def needs_player(fetched: FetchedMatch) -> bool:
    """Return whether the player has to move or take their seat back from a stand-in."""
    return fetched.is_my_turn or fetched.has_stand_in


def fetch_change(session: Session, match_id: str, etag: str) -> tuple[FetchedMatch, str] | None:
    """Return the match and its ETag, or None if it hasn't changed. Network errors are fatal only on the first
    request."""
    try:
        if etag and session.public_server.get_changed(f"matches/{match_id}", etag) is None:
            return None
        fetched = fetch_from_server(session, match_id)
    except Unreachable as problem:
        if not etag:
            raise
        session.inform(problem.message)
        return None
    return fetched, (session.store.snapshot(match_id) or {}).get("etag") or str(fetched.match["turn"])


def print_change(session: Session, fetched: FetchedMatch) -> None:
    if session.json:
        change: dict[str, Any] = {"match": fetched.match, "choices": fetched.choices, "news": list(fetched.news)}
        sys.stdout.write(json.dumps(change) + "\n")
    else:
        screen = render.screen(fetched, session.style)
        sys.stdout.write(f"{CLEAR_SCREEN if session.interactive and session.style.drawn else ''}{screen}\n")
    sys.stdout.flush()
