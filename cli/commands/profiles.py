"""List the saved accounts on this machine, and switch between them."""

from typing import Annotated

import typer

from cli import config
from cli.command import Result, command
from cli.local_store import Document
from cli.render.style import Style
from cli.sanitize import one_line
from cli.session import Session


@command("turnpost profiles", "turnpost profiles default")
def profiles(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Use this profile from now on.")] = "",
) -> Result:
    """List your profiles, or switch to another one.

    A profile is an account on a server. To add one: turnpost login --profile NAME
    """
    if name:
        session.require_profile(name)
        session.config = session.config.with_current(name)
        config.save(session.config)
        warn_if_overridden(session, name)
    known = {config.DEFAULT_PROFILE: session.config.profile(config.DEFAULT_PROFILE), **session.config.profiles}
    data = {
        "current": session.config.current,
        "profiles": [
            {"name": each, "username": profile.username, "url": profile.url, "logged_in": bool(profile.token)}
            for each, profile in known.items()
        ],
    }
    return Result(data, lambda style: profiles_text(data, style))


def warn_if_overridden(session: Session, name: str) -> None:
    if session.environment.get("TURNPOST_PROFILE", name) != name:
        session.inform("TURNPOST_PROFILE is set, and overrides this.")


def profiles_text(data: Document, style: Style) -> str:
    width = max(len(profile["name"]) for profile in data["profiles"])
    lines = [profile_line(profile, profile["name"] == data["current"], width, style) for profile in data["profiles"]]
    return "\n".join([*lines, "", "Switch: turnpost profiles NAME"])


def profile_line(profile: Document, is_current: bool, width: int, style: Style) -> str:
    name = style.paint(f"{profile['name']:<{width}}", "bold" if is_current else "name")
    who = f"{profile['username']} at {profile['url']}" if profile["logged_in"] else f"not logged in at {profile['url']}"
    return f"{'*' if is_current else ' '} {name}  {one_line(who)}"
