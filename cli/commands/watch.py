"""A match that redraws itself."""

import json
import sys
import threading
from typing import Annotated, Any

import typer

from cli.arguments import MatchId
from cli.command import EXAMPLE_MATCH, command
from cli.look import Look, fetch, which_match
from cli.problems import Unreachable
from cli.render import match as render
from cli.session import Session

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
OVER = ("finished", "abandoned", "cancelled", "expired")
never = threading.Event()


@command(f"turnpost watch {EXAMPLE_MATCH} --once", f"turnpost watch {EXAMPLE_MATCH} --until-my-turn")
def watch(
    session: Session,
    match: MatchId = None,
    every: Annotated[float, typer.Option("--every", min=0.2, help="Seconds between questions to the server.")] = 3.0,
    until_my_turn: Annotated[
        bool, typer.Option("--until-my-turn", help="Stop when you are asked, or a stand-in plays for you.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Stop after the first picture.")] = False,
) -> None:
    """Show a match again whenever something happens.

    Asks the server now and then whether anything has changed, which costs it next to nothing. With --json, every
    change is one line. Ctrl-C stops.
    """
    match_id = which_match(session, match)
    etag = ""
    while True:
        changed = ask_for_change(session, match_id, etag)
        if changed:
            seen, etag = changed
            present(session, seen)
            if once or seen.match["phase"] in OVER or (until_my_turn and is_waited_for(seen)):
                return
        never.wait(every)


def is_waited_for(seen: Look) -> bool:
    """To move, or to come back: whose stand-in plays is never asked again before that."""
    return seen.is_my_turn or seen.has_stand_in


def ask_for_change(session: Session, match_id: str, etag: str) -> tuple[Look, str] | None:
    """A network that comes and goes is told, and waited for; a first look must succeed."""
    try:
        if etag and session.visitor.get_changed(f"matches/{match_id}", etag) is None:
            return None
        seen = fetch(session, match_id)
    except Unreachable as problem:
        if not etag:
            raise
        session.say(problem.message)
        return None
    return seen, (session.kept.match(match_id) or {}).get("etag") or str(seen.match["turn"])


def present(session: Session, seen: Look) -> None:
    if session.json:
        line: dict[str, Any] = {"match": seen.match, "choices": seen.choices, "news": list(seen.news)}
        sys.stdout.write(json.dumps(line) + "\n")
    else:
        page = render.screen(seen, session.style)
        sys.stdout.write(f"{CLEAR if session.interactive and session.style.drawn else ''}{page}\n")
    sys.stdout.flush()
