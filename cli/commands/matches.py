"""Lists of matches, and the current one."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from cli.arguments import OneMatchId
from cli.command import EXAMPLE_MATCH, command
from cli.look import known_match, look
from cli.render.lists import match_list
from cli.render.match import screen
from cli.render.style import Style
from cli.result import Result
from cli.session import Session


class Which(StrEnum):
    MINE = "mine"
    WAITING = "waiting"
    OPEN = "open"
    FINISHED = "finished"
    INVITED = "invited"


EMPTY = {
    Which.MINE: "You sit in no match. Join one: turnpost matches open   Start one: turnpost new coloretto",
    Which.WAITING: "Nothing waits for you.",
    Which.OPEN: "No match is open. Start one: turnpost new coloretto",
    Which.FINISHED: "You have not finished a match yet.",
    Which.INVITED: "Nobody has invited you.",
}


@command("turnpost matches", "turnpost matches open", "turnpost matches finished --json")
def matches(
    session: Session,
    which: Annotated[Which, typer.Argument(help="Yours, those that wait for you, or those open to join.")] = Which.MINE,
    most: Annotated[int, typer.Option("--most", min=1, help="How many to list.")] = 50,
) -> Result:
    """List your matches, or open and finished ones."""
    server = session.visitor if which is Which.OPEN else session.server
    found = server.pages("matches", most=most, which=which.value)
    return Result({"which": which.value, "matches": found}, lambda style: listing(found, which, style))


def listing(found: list[dict[str, Any]], which: Which, style: Style) -> str:
    if not found:
        return EMPTY[which]
    join = "\n\nTake a seat: turnpost join ID" if which in (Which.OPEN, Which.INVITED) else ""
    return match_list(found, style) + join


@command(f"turnpost use {EXAMPLE_MATCH}")
def use(session: Session, match: OneMatchId) -> Result:
    """Choose the match that short orders are for.

    After it, `turnpost take 2` is a move in that match. It shows the board, which is what such a move is decided on.
    """
    seen = look(session, known_match(session, match.lower()))
    session.kept.make_current(seen.match["id"])
    data = {"current": seen.match["id"], "match": seen.match, "choices": seen.choices}
    return Result(data, lambda style: f"Your current match:\n\n{screen(seen, style)}")
