"""Check everything that playing depends on, one item at a time."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import urlsplit

from cli.command import Result, command, print_result
from cli.problems import Problem, Unreachable
from cli.render import times
from cli.render.delivery import TEST_MAIL_HINT, mail_problem
from cli.render.style import Style
from cli.session import Session

MAX_CLOCK_SKEW = 60
NETWORK_HINT = "Check your network and the address: turnpost login --server ADDRESS"
LATEST_NOTIFICATIONS = 10
HAS_FILE_MODES = os.name == "posix"
"""Whether file modes say who can read a file. Windows uses ACLs instead, and reports the same mode for every file."""
MARKS = {True: ("✓", "good"), False: ("✗", "bad")}


@dataclass(frozen=True)
class Check:
    name: str
    ok: bool
    text: str
    hint: str = ""
    kind: type[Problem] = Unreachable
    """The exception to raise if the check fails. It determines the exit code."""

    @property
    def data(self) -> dict[str, Any]:
        return {"check": self.name, "ok": self.ok, "text": self.text, "hint": self.hint}

    def render(self, style: Style) -> str:
        sign, ink = MARKS[self.ok]
        hint = f"\n    {self.hint}" if self.hint and not self.ok else ""
        return f"{style.paint(sign, ink)} {self.name}: {self.text}{hint}"


@command("turnpost doctor", "turnpost doctor --json")
def doctor(session: Session) -> Result:
    """Check your setup: server, token, clock, mail."""
    steps: list[Callable[[Session], Check]] = [settings, server, clock, token, mail, unsent]
    checks = [run_check(step, session) for step in steps]
    data = {"ok": all(check.ok for check in checks), "checks": [check.data for check in checks]}
    result = Result(data, lambda style: "\n".join(check.render(style) for check in checks))
    return result if data["ok"] else report_failure(session, result, checks)


def run_check(step: Callable[[Session], Check], session: Session) -> Check:
    try:
        return step(session)
    except Problem as problem:
        hint = NETWORK_HINT if "turnpost doctor" in problem.hint else problem.hint
        return Check(step.__name__, False, problem.message, hint, type(problem))


def report_failure(session: Session, result: Result, checks: list[Check]) -> Result:
    """Print all checks, then fail with the exit code of the first failed check."""
    print_result(session, result)
    first = next(check for check in checks if not check.ok)
    raise first.kind(f"{first.name}_trouble", f"Fix this first: {first.name}.", first.hint)


def settings(session: Session) -> Check:
    path = session.config.folder / "profiles.json"
    if is_open_to_others(path):
        return Check("settings", False, f"{path} is readable by other users.", f"chmod 600 '{path}'")
    return Check("settings", True, f"{path}, profile {session.name}")


def is_open_to_others(path: Path) -> bool:
    return HAS_FILE_MODES and path.exists() and bool(path.stat().st_mode & 0o077)


def server(session: Session) -> Check:
    try:
        session.public_server.request("GET", "/healthz")
    except Unreachable as problem:
        return Check("server", False, problem.message, NETWORK_HINT)
    return Check("server", True, f"{session.profile.url} responds{encryption_warning(session.profile.url)}")


def encryption_warning(url: str) -> str:
    parts = urlsplit(url)
    is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    return "" if is_local or parts.scheme == "https" else ", but without encryption: your token can be read in transit"


def clock(session: Session) -> Check:
    sent = session.public_server.request("GET", "/healthz").headers.get("Date", "")
    try:
        skew = time() - parsedate_to_datetime(sent).timestamp()
    except (ValueError, OverflowError):
        return Check("clock", True, "the server didn't send its time")
    if abs(skew) > MAX_CLOCK_SKEW:
        off_by = times.length(abs(skew))
        return Check("clock", False, f"off by {off_by} compared with the server.", "Set this machine's clock.")
    return Check("clock", True, "in sync with the server")


def token(session: Session) -> Check:
    me = session.server.get("me")
    return Check("token", True, f"logged in as {me['username']}")


def mail(session: Session) -> Check:
    me = session.server.get("me")
    address = me["email"]
    if problem := mail_problem(me["mail"], address):
        return Check("mail", False, problem, TEST_MAIL_HINT)
    latest = session.server.get("me/notifications", limit=LATEST_NOTIFICATIONS)["results"]
    failed = next((notification for notification in latest if notification["state"] == "failed"), None)
    if failed:
        return Check("mail", False, f"didn't reach {address}: {failed['why']}", "See: turnpost notify log")
    return Check("mail", True, f"goes to {address}")


def unsent(session: Session) -> Check:
    pending = session.store.unsent_moves()
    if pending:
        moves = ", ".join(f"'{each['move']}' in {each['match']}" for each in pending)
        return Check("moves", False, f"not sent yet: {moves}.", "Send them: turnpost retry")
    return Check("moves", True, "all sent")
