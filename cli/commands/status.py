"""What waits for the player, and the next command to type."""

from typing import Any

from cli.command import command
from cli.render import mail
from cli.render.lists import waiting_list
from cli.render.style import Style
from cli.result import Result
from cli.session import Session

WELCOME = """\
Turnpost: board games by mail, from the shell.

Just try it:    turnpost demo
New here:       turnpost register
Have account:   turnpost login

All commands:   turnpost --help"""


@command("turnpost status")
def status(session: Session) -> Result:
    """What waits for you, longest first."""
    waiting = session.server.get("matches", which="waiting")["results"]
    unsent = session.kept.unsent()
    return Result({"waiting": waiting, "unsent": unsent}, lambda style: summary(waiting, unsent, style))


@command("turnpost")
def home(session: Session) -> Result:
    """What waits for you, or how to begin."""
    if not session.profile.token:
        return Result({"waiting": [], "unsent": []}, lambda _style: WELCOME)
    waiting = session.server.get("matches", which="waiting")["results"]
    invited = session.server.get("matches", which="invited")["results"]
    me, unsent = session.server.get("me"), session.kept.unsent()
    data = {"waiting": waiting, "unsent": unsent}
    return Result(
        data,
        lambda style: "\n\n".join(
            filter(None, [lost_mail(me, style), summary(waiting, unsent, style), asked(invited)])
        ),
    )


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
    lines = [f"Not sent yet: '{order['move']}'. Send it: turnpost retry {order['match']}" for order in unsent]
    return "\n".join(style.paint(line, "warn") for line in lines)


def asked(invited: list[dict[str, Any]]) -> str:
    return "\n".join(
        f"You are invited to {match['game']} {match['id']}: turnpost join {match['id']}" for match in invited
    )
