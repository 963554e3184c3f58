"""What happened: the log of a match, and a walk through it."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any

import typer

from cli.arguments import MatchId
from cli.client import MOST_ENTRIES
from cli.command import EXAMPLE_MATCH, command
from cli.look import look, which_match
from cli.past import Moment, moments
from cli.problems import Usage
from cli.render.style import Style
from cli.result import Result
from cli.session import Session, ask
from cli.tableside import show


@command(f"turnpost log {EXAMPLE_MATCH}", f"turnpost log {EXAMPLE_MATCH} --since 3")
def log(
    session: Session,
    match: MatchId = None,
    since: Annotated[int, typer.Option("--since", min=0, help="Only events after this number.")] = 0,
) -> Result:
    """What happened in a match."""
    match_id = which_match(session, match)
    events = session.visitor.pages(f"matches/{match_id}/log", most=MOST_ENTRIES, since=since)
    return Result({"match": match_id, "events": events}, lambda style: by_turn(events, style))


def by_turn(events: Iterable[dict[str, Any]], style: Style) -> str:
    lines = []
    known = [event for event in events if event["text"]]
    for turn, happened in groupby(known, key=lambda event: event["turn"]):
        lines.append(style.paint(f"Turn {turn}", "bold"))
        lines += [f"  {line}" for event in happened for line in event["text"].splitlines()]
    return "\n".join(lines) or "Nothing has happened yet."


@command(f"turnpost history {EXAMPLE_MATCH}", f"turnpost history {EXAMPLE_MATCH} --turn 1")
def history(
    session: Session,
    match: MatchId = None,
    turn: Annotated[int | None, typer.Option("--turn", "-t", help="Show only this turn.")] = None,
) -> Result | None:
    """Step through a match, turn by turn.

    You see every board again as you saw it then: of a finished match replayed from its proof, of a running one as the
    server shows it to you. Only a sealed move that was taken back or voided is in no proof: of a finished match you see
    the game's harmless move in its place.
    """
    seen = look(session, which_match(session, match))
    past = moments(session, seen)
    if turn is not None:
        past = [moment for moment in past if moment.turn == turn]
        if not past:
            raise Usage("no_such_turn", f"There is no turn {turn}.", f"All of them: turnpost log {seen.match['id']}")
    elif session.interactive:
        walk(session, past)
        return None
    data = {"match": seen.match["id"], "turns": [moment.data for moment in past]}
    return Result(data, lambda style: "\n\n".join(moment.shown(style) for moment in past))


def walk(session: Session, past: list[Moment]) -> None:
    place = 0
    while 0 <= place < len(past):
        show(past[place].shown(session.style))
        answer = ask(f"{place + 1} of {len(past)}. Enter: on, b: back, a number: go there, q: leave ")
        place = step(place, answer, len(past))


def step(place: int, answer: str, count: int) -> int:
    if answer.isdecimal():
        return min(max(int(answer), 1), count) - 1
    return {"": place + 1, "n": place + 1, "b": max(place - 1, 0), "q": count}.get(answer.lower(), place)
