"""From an idea to a running match."""

import json
import re
import secrets
from typing import Annotated, Any

import typer

from cli.arguments import MatchId, OneMatchId
from cli.command import EXAMPLE_MATCH, command
from cli.commands.invitations import invite_all, not_invited
from cli.look import Look, known_match, which_match
from cli.problems import Usage
from cli.render import match as render
from cli.result import Result
from cli.session import Session

SALT_BYTES = 16
TIME = re.compile("[0-9]{1,6}[mhd]")


def new_salt() -> str:
    """The player's own share of the match's luck: with it, nobody else can have chosen the cards."""
    return secrets.token_hex(SALT_BYTES)


@command(
    "turnpost new coloretto --seats 3",
    "turnpost new coloretto --seats 4 --option edition=classic --title 'Sunday table' --private",
    "turnpost new coloretto --seats 2 --invite ben",
)
def new(
    session: Session,
    game: Annotated[str, typer.Argument(help="Which game: turnpost games")],
    seats: Annotated[int, typer.Option("--seats", "-s", help="How many players.")] = 3,
    pace: Annotated[str, typer.Option("--pace", help="Time for each move: 24h, 72h, 7d, 90m.")] = "72h",
    bank: Annotated[str, typer.Option("--bank", help="Extra time for the whole match: 3d.")] = "",
    weekends_off: Annotated[bool, typer.Option("--weekends-off", help="No clock on Saturdays and Sundays.")] = False,
    patience: Annotated[
        int | None, typer.Option("--patience", help="Time-outs in a row until a stand-in takes a seat.")
    ] = None,
    title: Annotated[str, typer.Option("--title", help="A name for the match.")] = "",
    private: Annotated[bool, typer.Option("--private", help="Only those invited see it.")] = False,
    option: Annotated[list[str], typer.Option("--option", "-o", help="An option of the game: edition=classic.")] = [],  # noqa: B006
    invite: Annotated[list[str], typer.Option("--invite", "-i", help="Whom to invite: a name or an address.")] = [],  # noqa: B006
) -> Result:
    """Create a match.

    You sit down first; it starts when all seats are taken, or when you start it. It becomes your current match.
    """
    plan = {
        "game": game.lower(),
        "seats": seats,
        "options": dict(read_option(written) for written in option),
        "pace": read_pace(pace, bank, weekends_off, patience),
        "private": private,
        "title": title,
        "salt": new_salt(),
    }
    match = session.server.post("matches", plan)
    session.kept.make_current(match["id"])
    _, failed = invite_all(session, match["id"], invite)
    if failed:
        session.say(f"{not_invited(failed)} Try again: turnpost invite {match['id']} NAME")
    return seen_now(session, match["id"])


def read_pace(move_time: str, bank: str, weekends_off: bool, patience: int | None) -> dict[str, Any]:
    given = {"bank": read_time("--bank", bank) if bank else None, "patience": patience}
    return {"move_time": read_time("--pace", move_time), "weekends_off": weekends_off} | {
        name: value for name, value in given.items() if value is not None
    }


def read_time(option: str, written: str) -> str:
    if not TIME.fullmatch(written.strip().lower()):
        hint = f"Write minutes, hours or days: {option} 90m, {option} 24h or {option} 7d"
        raise Usage("bad_time", f"'{written}' is no time for {option}.", hint)
    return written


def read_option(written: str) -> tuple[str, Any]:
    name, found, value = written.partition("=")
    if not found:
        raise Usage("bad_option", f"'{written}' is no option.", "Write it like this: --option edition=classic")
    try:
        read = json.loads(value)
        json.dumps(read, allow_nan=False)
    except (ValueError, RecursionError):
        return name, value
    return name, read


@command(f"turnpost join {EXAMPLE_MATCH}")
def join(session: Session, match: OneMatchId) -> Result:
    """Take a seat in an open match, or accept an invitation.

    Takes a match's id, or the link from an invitation's mail. Your client adds a random salt of your own, so that
    nobody can have chosen the cards. It becomes your current match.
    """
    match_id = take_seat(session, match)
    session.kept.make_current(match_id)
    return seen_now(session, match_id)


def take_seat(session: Session, written: str) -> str:
    """The match's id. A mailed link ends in a signed token; ids have no such signs."""
    token = written.rstrip("/").rpartition("/")[2]
    if ":" in token:
        return str(session.server.post(f"invitations/{token}/accept", {"salt": new_salt()})["id"])
    match_id = known_match(session, written.lower())
    session.server.post(f"matches/{match_id}/join", {"salt": new_salt()})
    return match_id


@command(f"turnpost leave {EXAMPLE_MATCH} --yes")
def leave(session: Session, match: MatchId = None) -> Result | None:
    """Give your seat back before the match starts."""
    return after_asking(session, match, "leave", "Leave this match?", "You have left the match.")


@command(f"turnpost start {EXAMPLE_MATCH} --yes")
def start(session: Session, match: MatchId = None) -> Result | None:
    """Start your match with the players it has."""
    match_id = which_match(session, match)
    if not session.confirm("Start now, with the players it has?"):
        return None
    session.server.post(f"matches/{match_id}/start")
    return seen_now(session, match_id)


@command(f"turnpost cancel {EXAMPLE_MATCH} --yes")
def cancel(session: Session, match: MatchId = None) -> Result | None:
    """Cancel your match before it starts."""
    return after_asking(session, match, "cancel", "Cancel this match?", "The match is cancelled.")


@command(f"turnpost abandon {EXAMPLE_MATCH} --yes", f"turnpost abandon {EXAMPLE_MATCH} --no-agree --yes")
def abandon(
    session: Session,
    match: MatchId = None,
    agree: Annotated[bool, typer.Option("--agree/--no-agree", help="Agree, or take it back.")] = True,
) -> Result | None:
    """Agree to end a running match without a result.

    It ends when all players agree.
    """
    question = "Agree to end this match without a result?" if agree else "Play on after all?"
    match_id = which_match(session, match)
    if not session.confirm(question):
        return None
    session.server.post(f"matches/{match_id}/abandon", {"agree": agree})
    return seen_now(session, match_id)


@command(f"turnpost back {EXAMPLE_MATCH}")
def back(session: Session, match: MatchId = None) -> Result:
    """Say that you are back, and take your seat from a stand-in."""
    match_id = which_match(session, match)
    session.server.post(f"matches/{match_id}/back")
    return seen_now(session, match_id)


def after_asking(session: Session, match: str | None, verb: str, question: str, done: str) -> Result | None:
    match_id = which_match(session, match)
    if not session.confirm(question):
        return None
    session.server.post(f"matches/{match_id}/{verb}")
    session.kept.forget_match(match_id)
    return Result({"match": match_id}, lambda _style: done)


def seen_now(session: Session, match_id: str) -> Result:
    from cli.look import look

    seen: Look = look(session, match_id, from_memory=False)
    return Result({"match": seen.match}, lambda style: render.screen(seen, style))
