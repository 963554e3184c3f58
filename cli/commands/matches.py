"""List matches: the player's own, those waiting for the player, and open ones."""

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
from cli.render.table import match_list, own_seat, waiting_matches
from cli.sanitize import one_line
from cli.session import Session
from games.engine.text import counted

DEMO_LINE = "Try it now:         turnpost demo\n"
PROFILES_LINE = "Your profiles:      turnpost profiles\n"
WELCOME = """\
Turnpost: play board games by mail from the command line.

{demo_line}Create an account:  turnpost register
Log in:             turnpost login
{profiles_line}
All commands:       turnpost --help"""

NOTHING_WAITING = "No matches are waiting for you."
ELSEWHERE = "Your matches: turnpost matches   Start one: turnpost new coloretto"
NOTHING: Document = {
    "waiting": [],
    "others": [],
    "invitations": [],
    "unread": [],
    "proposals": [],
    "offers": [],
    "unsent": [],
}


class Which(StrEnum):
    MINE = "mine"
    WAITING = "waiting"
    OPEN = "open"
    FINISHED = "finished"
    INVITED = "invited"


NO_MATCHES = {
    Which.MINE: "You're not in any matches. Join one: turnpost matches open   Start one: turnpost new coloretto",
    Which.WAITING: NOTHING_WAITING,
    Which.OPEN: "There are no open matches. Start one: turnpost new coloretto",
    Which.FINISHED: "You haven't finished a match yet.",
    Which.INVITED: "You have no invitations.",
}


@command("turnpost status", "turnpost status --json")
def status(session: Session) -> Result:
    """Show what is waiting for you, and whose turn it is.

    Lists your turns (longest wait first), your other matches, invitations, unread messages and open proposals.
    """
    overview = fetch_overview(session)
    return Result(overview, lambda style: overview_text(overview, style))


@command("turnpost")
def home(session: Session) -> Result:
    """Show what is waiting for you, or say how to get started."""
    if not session.profile.token:
        others = any(profile.token for profile in session.config.profiles.values())
        return Result(NOTHING, lambda _style: welcome(has_profiles=others))
    overview = fetch_overview(session)
    me = session.server.get("me")
    return Result(
        overview, lambda style: "\n\n".join(filter(None, [mail_warning(me, style), overview_text(overview, style)]))
    )


def welcome(*, has_profiles: bool) -> str:
    return WELCOME.format(demo_line=DEMO_LINE * server_installed(), profiles_line=PROFILES_LINE * has_profiles)


def fetch_overview(session: Session) -> Document:
    """Fetch everything that concerns the player.

    If the server can't be reached, the hint lists unsent moves.
    """
    unsent = session.store.unsent_moves()
    try:
        reveal_salts(session.store, session.server)
        mine = session.server.pages("matches", most=MAX_ENTRIES, which="mine", limit=MAX_PAGE_SIZE)
        inbox = session.server.get("me/inbox")
    except Unreachable as problem:
        problem.hint = "\n".join([problem.hint, *unsent_lines(unsent)])
        problem.data["unsent"] = unsent
        raise
    session.store.remember_matches([*mine, *inbox["invitations"]])
    waiting = sorted((match for match in mine if own_seat(match).get("awaited")), key=waiting_since)
    others = [match for match in mine if match not in waiting]
    return {"waiting": waiting, "others": others, **inbox, "unsent": unsent}


def waiting_since(match: Document) -> str:
    return str(own_seat(match)["awaited_since"])


def mail_warning(me: Document, style: Style) -> str:
    """Warn a player whose mail bounces, because we can't tell them by mail."""
    problem = mail_problem(me["mail"], me["email"])
    return f"{style.paint(problem, 'bad')}\n{TEST_MAIL_HINT}" if problem else ""


def overview_text(overview: Document, style: Style) -> str:
    waiting, others = overview["waiting"], overview["others"]
    parts = ["\n".join(style.paint(line, "warn") for line in unsent_lines(overview["unsent"]))]
    if waiting:
        count = "One match is" if len(waiting) == 1 else f"{len(waiting)} matches are"
        parts += [f"{count} waiting for you.", waiting_matches(waiting, style)]
    else:
        parts.append(NOTHING_WAITING)
    if others:
        parts += ["Your other matches:", match_list(others, style)]
    parts.append("\n".join(inbox_lines(overview)))
    parts.append("Next: turnpost next" if waiting else ELSEWHERE)
    return "\n\n".join(filter(None, parts))


def inbox_lines(overview: Document) -> list[str]:
    invited = [f"You're invited to {match_name(one)}: turnpost join {one['id']}" for one in overview["invitations"]]
    unread = [
        f"{counted(one['messages'], 'unread message')}: turnpost messages {one['match']}" for one in overview["unread"]
    ]
    votes = [
        f"{counted(one['proposals'], 'open proposal')}: turnpost proposals {one['match']}"
        for one in overview["proposals"]
    ]
    offers = [f"You're offered a seat: turnpost agree {one['match']}" for one in overview["offers"]]
    return [*invited, *offers, *votes, *unread]


def unsent_lines(unsent: list[Document]) -> list[str]:
    return [f"Not sent yet: '{pending['move']}'. Send it: turnpost retry {pending['match']}" for pending in unsent]


def match_name(match: Document) -> str:
    """Name a match, as in: Ann's coloretto 'Friday'."""
    owner = f"{one_line(match['owner']['name'])}'s " if match["owner"] else ""
    title = f" '{one_line(match['title'])}'" if match["title"] else ""
    return f"{owner}{match['game']}{title}"


@command("turnpost matches", "turnpost matches open", "turnpost matches finished --json")
def matches(
    session: Session,
    which: Annotated[Which, typer.Argument(help="Which matches to list.")] = Which.MINE,
    limit: Annotated[int, typer.Option("--limit", "-L", min=1, help="Maximum number of matches to list.")] = 50,
) -> Result:
    """List your own, open or finished matches."""
    server = session.public_server if which is Which.OPEN else session.server
    found = server.pages("matches", most=limit, which=which.value)
    session.store.remember_matches(found)
    return Result({"which": which.value, "matches": found}, lambda style: matches_text(found, which, style))


def matches_text(found: list[Document], which: Which, style: Style) -> str:
    if not found:
        return NO_MATCHES[which]
    join = "\n\nTake a seat: turnpost join ID" if which in (Which.OPEN, Which.INVITED) else ""
    return match_list(found, style) + join
