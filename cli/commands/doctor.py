"""Whether everything a player relies on works, point by point."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import urlsplit

from cli.command import command
from cli.problems import NeedsLogin, Problem, Unreachable
from cli.render import mail as render
from cli.render.style import Style
from cli.result import Result
from cli.session import Session

TOLERATED_SKEW = 60
NETWORK = "Check the network, and the address: turnpost login --server ADDRESS"
LATEST_NOTICES = 10
KEEPS_MODES = os.name == "posix"
"""Windows keeps who may read a file in lists, and shows the same bits for every file."""
MARKS = {True: ("✓", "good"), False: ("✗", "bad")}


@dataclass(frozen=True)
class Check:
    name: str
    fine: bool
    text: str
    hint: str = ""

    @property
    def data(self) -> dict[str, Any]:
        return {"check": self.name, "ok": self.fine, "text": self.text, "hint": self.hint}

    def line(self, style: Style) -> str:
        sign, ink = MARKS[self.fine]
        hint = f"\n    {self.hint}" if self.hint and not self.fine else ""
        return f"{style.paint(sign, ink)} {self.name}: {self.text}{hint}"


@command("turnpost doctor", "turnpost doctor --json")
def doctor(session: Session) -> Result:
    """See whether everything works: server, token, clock, mail."""
    steps: list[Callable[[Session], Check]] = [settings, server, clock, token, mail, unsent]
    checks = [attempt(step, session) for step in steps]
    data = {"ok": all(check.fine for check in checks), "checks": [check.data for check in checks]}
    result = Result(data, lambda style: "\n".join(check.line(style) for check in checks))
    return result if data["ok"] else failing(session, result, checks)


def attempt(step: Callable[[Session], Check], session: Session) -> Check:
    try:
        return step(session)
    except Problem as problem:
        hint = NETWORK if "turnpost doctor" in problem.hint else problem.hint
        return Check(step.__name__, False, problem.message, hint)


def failing(session: Session, result: Result, checks: list[Check]) -> Result:
    """The whole list all the same, and the exit code of the first thing that is wrong."""
    from cli.command import show

    show(session, result)
    first = next(check for check in checks if not check.fine)
    kind = NeedsLogin if first.name == "token" else Unreachable
    raise kind(f"{first.name}_trouble", f"The first thing to mend: {first.name}.", first.hint)


def settings(session: Session) -> Check:
    path = session.config.folder / "profiles.json"
    if is_open_to_others(path):
        return Check("settings", False, f"{path} can be read by others.", f"chmod 600 '{path}'")
    return Check("settings", True, f"{path}, profile {session.name}")


def is_open_to_others(path: Path) -> bool:
    return KEEPS_MODES and path.exists() and bool(path.stat().st_mode & 0o077)


def server(session: Session) -> Check:
    try:
        session.visitor.ask("GET", "/healthz")
    except Unreachable as problem:
        return Check("server", False, problem.message, NETWORK)
    return Check("server", True, f"{session.profile.url} answers{unprotected(session.profile.url)}")


def unprotected(url: str) -> str:
    parts = urlsplit(url)
    near = parts.hostname in ("localhost", "127.0.0.1", "::1")
    return "" if near or parts.scheme == "https" else ", without encryption: others on the way can read your token"


def clock(session: Session) -> Check:
    told = parsedate_tz(session.visitor.ask("GET", "/healthz").headers.get("Date", ""))
    if told is None:
        return Check("clock", True, "the server does not tell its time")
    skew = time() - mktime_tz(told)
    if abs(skew) > TOLERATED_SKEW:
        return Check(
            "clock", False, f"this machine and the server differ by {abs(skew):.0f} seconds.", "Set the clock."
        )
    return Check("clock", True, "agrees with the server's")


def token(session: Session) -> Check:
    me = session.server.get("me")
    return Check("token", True, f"you are {me['username']}")


def mail(session: Session) -> Check:
    me = session.server.get("me")
    address = me["email"]
    if trouble := render.trouble(me["mail"], address):
        return Check("mail", False, trouble, render.MEND)
    latest = session.server.get("me/notices", limit=LATEST_NOTICES)["results"]
    failed = next((notice for notice in latest if notice["state"] == "failed"), None)
    if failed:
        return Check("mail", False, f"did not reach {address}: {failed['why']}", "See: turnpost notify ledger")
    return Check("mail", True, f"goes to {address}")


def unsent(session: Session) -> Check:
    waiting = session.kept.unsent()
    if waiting:
        moves = ", ".join(f"'{order['move']}' in {order['match']}" for order in waiting)
        return Check("moves", False, f"not sent yet: {moves}.", "Send them: turnpost retry")
    return Check("moves", True, "all were sent")
