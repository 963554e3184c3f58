"""Looking at a match, and playing on from there when somebody sits at the terminal."""

from typing import Annotated

import typer

from cli.arguments import MatchId
from cli.command import EXAMPLE_MATCH, command
from cli.look import Look, look, which_match
from cli.problems import Refused
from cli.render import match as render
from cli.render.style import Style
from cli.result import Result
from cli.session import Session
from cli.tableside import play_on

Ask = Annotated[bool, typer.Option("--ask/--no-ask", help="Offer the moves at the terminal.")]


@command("turnpost next", "turnpost next --no-ask")
def next_match(session: Session, ask: Ask = True) -> Result | None:
    """Go to the match that waits for you longest.

    Shows its board, what happened since you looked, and what you may do. It becomes your current match.
    """
    waiting = session.server.get("matches", which="waiting")["results"]
    if not waiting:
        return Result({"match": None}, lambda _style: "Nothing waits for you. Your matches: turnpost matches")
    session.kept.make_current(waiting[0]["id"])
    return visit(session, waiting[0]["id"], ask)


@command(f"turnpost board {EXAMPLE_MATCH}", "turnpost board --style speech")
def board(session: Session, match: MatchId = None, ask: Ask = True) -> Result | None:
    """Show a match.

    Without a network it shows what you saw last, and says how old that is.
    """
    return visit(session, which_match(session, match), ask)


@command(f"turnpost moves {EXAMPLE_MATCH}", "turnpost moves --json")
def moves(session: Session, match: MatchId = None) -> Result:
    """List what you may do now."""
    seen = look(session, which_match(session, match))
    if seen.choices is None and seen.has_stand_in:
        back = f"Take your seat back: turnpost back {seen.match['id']}"
        raise Refused("stand_in_plays", "A stand-in plays your seat, so nothing is asked of you.", back)
    if seen.choices is None:
        raise Refused("not_your_turn", "Nothing is asked of you in this match now.", "What waits: turnpost status")
    data = {"match": seen.match["id"], **seen.choices, "seen_at": seen.seen_at}
    return Result(data, lambda style: offered(seen, style))


def offered(seen: Look, style: Style) -> str:
    parts = [render.from_memory(seen, style), render.choices(seen.choices, style), render.what_next(seen)]
    return "\n\n".join(filter(None, parts))


def visit(session: Session, match_id: str, ask: bool) -> Result | None:
    seen = look(session, match_id)
    if ask and session.interactive and seen.is_my_turn and seen.seen_at is None:
        play_on(session, seen)
        return None
    data = {"match": seen.match, "choices": seen.choices, "news": list(seen.news), "seen_at": seen.seen_at}
    return Result(data, lambda style: render.screen(seen, style))
