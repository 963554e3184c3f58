"""List matches: those waiting for the player, their own, and open ones."""

from enum import StrEnum
from typing import Annotated

import typer

from cli.client import MAX_ENTRIES, MAX_PAGE_SIZE
from cli.command import Result, command
from cli.environment import server_installed
from cli.fairness_notes import reveal_salts
from cli.local_store import Document
from cli.problems import Unreachable
from cli.render.delivery import TEST_MAIL_HINT, mail_problem
from cli.render.style import Style
from cli.render.table import match_list, waiting_matches
from cli.sanitize import one_line
from cli.session import Session

DEMO_LINE = "Try it now:         turnpost demo\n"
WELCOME = """\
Turnpost: board games by mail, from the command line.

{demo_line}Create an account:  turnpost register
Log in:             turnpost login

All commands:       turnpost --help"""

NOTHING_WAITING = "No matches are waiting for you."


class Which(StrEnum):
    MINE = "mine"
    WAITING = "waiting"
    OPEN = "open"
    FINISHED = "finished"
    INVITED = "invited"


NO_MATCHES = {
    Which.MINE: "You're not in any match. Join one: turnpost matches open   Start one: turnpost new coloretto",
    Which.WAITING: NOTHING_WAITING,
    Which.OPEN: "There are no open matches. Start one: turnpost new coloretto",
    Which.FINISHED: "You haven't finished a match yet.",
    Which.INVITED: "You have no invitations.",
}


@command("turnpost status")
def status(session: Session) -> Result:
    """List the matches waiting for you, longest wait first."""
    waiting, unsent = fetch_waiting(session), session.store.unsent_moves()
    return Result({"waiting": waiting, "unsent": unsent}, lambda style: status_text(waiting, unsent, style))


@command("turnpost")
def home(session: Session) -> Result:
    """List the matches waiting for you, or say how to get started."""
    if not session.profile.token:
        return Result({"waiting": [], "unsent": []}, lambda _style: welcome())
    waiting = fetch_waiting(session)
    invited = session.server.get("matches", which="invited")["results"]
    me, unsent = session.server.get("me"), session.store.unsent_moves()
    return Result(
        {"waiting": waiting, "unsent": unsent},
        lambda style: "\n\n".join(
            filter(None, [mail_warning(me, style), status_text(waiting, unsent, style), invitations_text(invited)])
        ),
    )


def welcome() -> str:
    return WELCOME.format(demo_line=DEMO_LINE * server_installed())


def fetch_waiting(session: Session) -> list[Document]:
    """Fetch the matches waiting for the player. If the server can't be reached, the hint lists unsent moves."""
    try:
        reveal_salts(session.store, session.server)
        waiting = session.server.pages("matches", most=MAX_ENTRIES, which="waiting", limit=MAX_PAGE_SIZE)
    except Unreachable as problem:
        unsent = session.store.unsent_moves()
        problem.hint = "\n".join([problem.hint, *unsent_lines(unsent)])
        problem.data["unsent"] = unsent
        raise
    return waiting


def mail_warning(me: Document, style: Style) -> str:
    """Warn a player whose mail bounces, because they can't learn about it by mail."""
    problem = mail_problem(me["mail"], me["email"])
    return f"{style.paint(problem, 'bad')}\n{TEST_MAIL_HINT}" if problem else ""


def status_text(waiting: list[Document], unsent: list[Document], style: Style) -> str:
    parts = ["\n".join(style.paint(line, "warn") for line in unsent_lines(unsent))]
    if waiting:
        count = "One match is" if len(waiting) == 1 else f"{len(waiting)} matches are"
        parts += [f"{count} waiting for you.", waiting_matches(waiting, style), "Next: turnpost next"]
    else:
        parts += [NOTHING_WAITING, "Your matches: turnpost matches   Start one: turnpost new coloretto"]
    return "\n\n".join(filter(None, parts))


def unsent_lines(unsent: list[Document]) -> list[str]:
    return [f"Not sent yet: '{pending['move']}'. Send it: turnpost retry {pending['match']}" for pending in unsent]


def invitations_text(invited: list[Document]) -> str:
    return "\n".join(f"You're invited to {match_name(match)}: turnpost join {match['id']}" for match in invited)


def match_name(match: Document) -> str:
    """Name a match like this: Ann's coloretto 'Friday'."""
    owner = f"{one_line(match['owner']['name'])}'s " if match["owner"] else ""
    title = f" '{one_line(match['title'])}'" if match["title"] else ""
    return f"{owner}{match['game']}{title}"


@command("turnpost matches", "turnpost matches open", "turnpost matches finished --json")
def matches(
    session: Session,
    which: Annotated[Which, typer.Argument(help="Which matches to list.")] = Which.MINE,
    limit: Annotated[int, typer.Option("--limit", "-L", min=1, help="Maximum number of matches to list.")] = 50,
) -> Result:
    """List your matches, open matches, or finished ones."""
    server = session.public_server if which is Which.OPEN else session.server
    found = server.pages("matches", most=limit, which=which.value)
    return Result({"which": which.value, "matches": found}, lambda style: matches_text(found, which, style))


def matches_text(found: list[Document], which: Which, style: Style) -> str:
    if not found:
        return NO_MATCHES[which]
    join = "\n\nTake a seat: turnpost join ID" if which in (Which.OPEN, Which.INVITED) else ""
    return match_list(found, style) + join
