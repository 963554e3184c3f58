"""What waits for the player, and the next command to type."""

from typing import Any

from cli.client import LONGEST_PAGE, MOST_ENTRIES
from cli.command import command
from cli.problems import Unreachable
from cli.render import mail
from cli.render.lists import waiting_list
from cli.render.style import Style
from cli.result import Result
from cli.safe import one_line
from cli.session import Session
from cli.surroundings import has_server_part

TRY_IT = "Just try it:    turnpost demo\n"
WELCOME = """\
Turnpost: board games by mail, from the shell.

{try_it}New here:       turnpost register
Have account:   turnpost login

All commands:   turnpost --help"""


@command("turnpost status")
def status(session: Session) -> Result:
    """What waits for you, longest first."""
    waiting, unsent = what_waits(session), session.kept.unsent()
    return Result({"waiting": waiting, "unsent": unsent}, lambda style: summary(waiting, unsent, style))


@command("turnpost")
def home(session: Session) -> Result:
    """What waits for you, or how to begin."""
    if not session.profile.token:
        return Result({"waiting": [], "unsent": []}, lambda _style: welcome())
    waiting = what_waits(session)
    invited = session.server.get("matches", which="invited")["results"]
    me, unsent = session.server.get("me"), session.kept.unsent()
    data = {"waiting": waiting, "unsent": unsent}
    return Result(
        data,
        lambda style: "\n\n".join(
            filter(None, [lost_mail(me, style), summary(waiting, unsent, style), asked(invited)])
        ),
    )


def welcome() -> str:
    return WELCOME.format(try_it=TRY_IT * has_server_part())


def what_waits(session: Session) -> list[dict[str, Any]]:
    """Also when the server cannot be asked, the player is to know of the moves that it has not got."""
    try:
        waiting = session.server.pages("matches", most=MOST_ENTRIES, which="waiting", limit=LONGEST_PAGE)
    except Unreachable as problem:
        unsent = session.kept.unsent()
        problem.hint = "\n".join([problem.hint, *unsent_lines(unsent)])
        problem.data["unsent"] = unsent
        raise
    return waiting


def lost_mail(me: dict[str, Any], style: Style) -> str:
    """Nobody else tells a player whose mail does not arrive."""
    trouble = mail.trouble(me["mail"], me["email"])
    return f"{style.paint(trouble, 'bad')}\n{mail.MEND}" if trouble else ""


def summary(waiting: list[dict[str, Any]], unsent: list[dict[str, Any]], style: Style) -> str:
    parts = [kept_back(unsent, style)]
    if waiting:
        count = "One match waits" if len(waiting) == 1 else f"{len(waiting)} matches wait"
        parts += [f"{count} for you.", waiting_list(waiting, style), "Next: turnpost next"]
    else:
        parts += ["Nothing waits for you.", "Your matches: turnpost matches   Start one: turnpost new coloretto"]
    return "\n\n".join(filter(None, parts))


def kept_back(unsent: list[dict[str, Any]], style: Style) -> str:
    return "\n".join(style.paint(line, "warn") for line in unsent_lines(unsent))


def unsent_lines(unsent: list[dict[str, Any]]) -> list[str]:
    return [f"Not sent yet: '{order['move']}'. Send it: turnpost retry {order['match']}" for order in unsent]


def asked(invited: list[dict[str, Any]]) -> str:
    return "\n".join(f"You are invited to {whose(match)}: turnpost join {match['id']}" for match in invited)


def whose(match: dict[str, Any]) -> str:
    """Ann's coloretto 'Friday'"""
    owner = f"{one_line(match['owner']['name'])}'s " if match["owner"] else ""
    title = f" '{one_line(match['title'])}'" if match["title"] else ""
    return f"{owner}{match['game']}{title}"
