"""Accounts: register, log in, log out, who one is, and what one may change of that."""

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from cli.client import Server
from cli.command import command
from cli.problems import NeedsLogin, Problem, Refused, Unreachable, Usage
from cli.render.style import Style
from cli.result import Result
from cli.session import Session, ask, checked, legible
from cli.zone import local_time_zone

TRIES = 3
NEEDS_SERVER = r"turnpost (login|register|password)"
"""The commands that may be for a server of which the profile knows nothing yet."""
UNKNOWN_ZONE = """\
This machine does not say in which time zone you live, so times are those of UTC.
When you are logged in, change that: turnpost account --time-zone Europe/Berlin"""
ServerUrl = Annotated[str, typer.Option("--server", help="The server's address, if not the one used before.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
Code = Annotated[str, typer.Option("--code", help="The code from the mail, for a registration begun before.")]


@command(
    "turnpost register",
    "turnpost register --username dora --email dora@example.org --password-stdin < password.txt",
    "turnpost register --code 123456 --password-stdin < password.txt",
)
def register(
    session: Session,
    username: Annotated[str, typer.Option("--username", "-u", help="3 to 30 letters, digits, - or _.")] = "",
    email: Annotated[str, typer.Option("--email", help="Where to tell you that it is your turn.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
    code: Code = "",
) -> Result:
    """Open an account.

    You get a mail with a code. Enter it here, or later: turnpost register --code 123456
    """
    with at_server(session, server):
        if code:
            return go_on(session, code, password_stdin)
        username = username or asked(session, "User name: ", "--username")
        email = email or asked(session, "E-mail address: ", "--email")
        password = read_password(session, password_stdin, new=True)
        apply(session, username, email, password)
        if not session.interactive:
            return Result({"username": username, "confirmed": False}, lambda _style: mailed(email))
        session.say(f"A mail with a code is on its way to {email}.")
        return enter_confirmed(session, confirm(session), password)


def go_on(session: Session, code: str, password_stdin: bool) -> Result:
    """The password comes first: a code is used up, and who leaves before that can begin here again."""
    if not session.profile.registration:
        hint = "Begin: turnpost register   Confirmed already: turnpost login"
        raise Usage("nothing_to_confirm", "No registration waits for a code here.", hint)
    password = read_password(session, password_stdin)
    return enter_confirmed(session, confirm(session, code), password)


def apply(session: Session, username: str, email: str, password: str) -> None:
    """From here on the profile is that of the new account: what it had of another goes in the same write."""
    zone = local_time_zone()
    applicant = {"username": username, "email": email, "password": password, "time_zone": zone or "UTC"}
    registration = str(session.stranger.post("registrations", applicant)["registration"])
    session.save_profile(url=session.profile.url, token="", username=username, registration=registration)
    session.say(f"Your time zone: {zone}." if zone else UNKNOWN_ZONE)


def mailed(email: str) -> str:
    return f"A mail with a code is on its way to {email}. Then: turnpost register --code CODE"


def confirm(session: Session, code: str = "") -> str:
    """The name of the account. A wrong code may be typed again."""
    wanted: dict[str, Any] = {"registration": session.profile.registration}
    while True:
        wanted["code"] = code or asked_for_code(session)
        try:
            confirmed = session.stranger.post("registrations/confirm", wanted)
        except Refused as problem:
            if code or problem.code not in ("wrong_code", "invalid"):
                raise
            session.say(f"{problem.message} {problem.hint}")
        else:
            session.save_profile(registration="")
            return str(confirmed["username"])


def asked_for_code(session: Session) -> str:
    try:
        return asked(session, "Code from the mail: ", "--code")
    except KeyboardInterrupt:
        session.say("\nWhen you have the mail: turnpost register --code CODE")
        raise


def enter_confirmed(session: Session, username: str, password: str) -> Result:
    """The account is there, whatever becomes of the log-in."""
    try:
        return enter(session, username, password)
    except Problem as problem:
        why = "That was not its password." if problem.code == "wrong_login" else problem.message
        problem.message = f"Your account {username} is ready, but you are not logged in. {why}"
        problem.hint = f"Log in: turnpost login {username}"
        raise


@command("turnpost login", "turnpost login ann --server http://localhost:8000 --password-stdin < password.txt")
def login(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Your user name or e-mail address.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
) -> Result:
    """Log in on this machine.

    The token is kept in a file that only you can read. For several accounts or servers: --profile NAME
    """
    with at_server(session, server):
        name = name or asked(session, "User name or e-mail address: ", "NAME")
        return enter(session, name, read_password(session, password_stdin))


def enter(session: Session, name: str, password: str) -> Result:
    device = f"turnpost on {socket.gethostname()}"[:60]
    made = session.stranger.post("tokens", {"login": name, "password": password, "name": device})
    me = Server(session.profile.url, made["token"]).get("me")
    session.save_profile(url=session.profile.url, token=made["token"], username=me["username"], registration="")
    data = {"username": me["username"], "url": session.profile.url, "profile": session.name}
    return Result(data, lambda style: welcome(me, session.profile.url, style))


def welcome(me: dict[str, Any], url: str, style: Style) -> str:
    greeting = style.paint(f"Welcome, {me['name']}.", "good")
    return f"{greeting} You are logged in at {url}.\nNext: turnpost   Open matches: turnpost matches open"


@command("turnpost logout", "turnpost logout --everywhere --yes")
def logout(
    session: Session,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="On all machines.")] = False,
) -> Result | None:
    """Log out on this machine."""
    if everywhere and not session.confirm("Log out on all machines?"):
        return None
    server, told = session.server, "You are logged out."
    try:
        server.delete("tokens" if everywhere else "tokens/current")
    except NeedsLogin as problem:
        session.save_profile(token="")
        if everywhere:
            problem.message = "The token was not valid any more and is forgotten here. Nobody else was logged out."
            problem.hint = "Log in, and say it again: turnpost login"
            raise
        told = "You are logged out. The token was not valid any more."
    except Unreachable as problem:
        if everywhere:
            raise
        told = f"{problem.message} The token is forgotten here, but the server still knows it."
    session.save_profile(token="")
    return Result({"profile": session.name}, lambda _style: told)


@command("turnpost whoami", "turnpost whoami --json")
def whoami(session: Session) -> Result:
    """Who you are, and where."""
    me = session.server.get("me")
    data = {"username": me["username"], "name": me["name"], "email": me["email"], "time_zone": me["time_zone"]}
    place = {"url": session.profile.url, "profile": session.name, "current": session.kept.current or None}
    return Result({**data, **place}, lambda style: introduction(data, place, style))


def introduction(data: dict[str, Any], place: dict[str, Any], style: Style) -> str:
    login = "" if data["name"] == data["username"] else f"{data['username']}, "
    who = f"{style.paint(data['name'], 'bold')} ({login}{data['email']}) at {place['url']}"
    current = (
        f"Your current match: {place['current']}" if place["current"] else "No current match. Choose: turnpost use ID"
    )
    return f"{who}\n{current}"


@command(
    "turnpost account --name 'Ann B.' --time-zone Europe/Berlin",
    "turnpost account --email ann@new.example --password-stdin < password.txt",
)
def account(
    session: Session,
    name: Annotated[str | None, typer.Option("--name", help="What others see; '' for your user name.")] = None,
    time_zone: Annotated[str | None, typer.Option("--time-zone", help="Like Europe/Berlin.")] = None,
    email: Annotated[str, typer.Option("--email", help="A new address. It needs your password.")] = "",
    password_stdin: PasswordStdin = False,
) -> Result:
    """Change your name, time zone or e-mail address.

    A new address gets a mail, and is used when you open the link in it.
    """
    given = {"display_name": name, "time_zone": time_zone}
    wanted = {field: value for field, value in given.items() if value is not None}
    if not (wanted or email):
        hint = "See: turnpost account --help   Who you are: turnpost whoami"
        raise Usage("nothing_to_change", "What do you want to change?", hint)
    if email:
        password = read_password(session, password_stdin)
        session.server.post("address-changes", {"email": email, "password": password})
    me = session.server.patch("me", wanted) if wanted else session.server.get("me")
    data = {field: me[field] for field in ("username", "name", "email", "time_zone")} | {"mailed_to": email or None}
    return Result(data, lambda style: changed(data, style))


def changed(data: dict[str, Any], style: Style) -> str:
    who = f"{style.paint(data['name'], 'bold')} ({data['username']}, {data['email']}), time zone {data['time_zone']}"
    to_do = f"To use the new address, open the link in the mail to {data['mailed_to']}."
    return f"{who}\n{to_do}" if data["mailed_to"] else who


@contextmanager
def at_server(session: Session, url: str) -> Iterator[None]:
    """A named server is written down only together with what it gave, a token or a registration: a token that is
    there is another's. Until then its address is part of the next command."""
    session.chosen_url = checked(url).rstrip("/") if url else ""
    try:
        yield
    except Problem as problem:
        problem.hint = naming_server(session, problem.hint)
        raise


def naming_server(session: Session, hint: str) -> str:
    """With the server's address in the next command, where it is not written down."""
    chosen = session.chosen_url
    if not chosen or chosen == session.config.profile(session.name).url:
        return hint
    return re.sub(NEEDS_SERVER, lambda named: f"{named[0]} --server {chosen}", hint)


def asked(session: Session, question: str, option: str) -> str:
    if not session.interactive:
        raise Usage("not_given", f"{question.rstrip(': ')} is missing.", f"Give it with {option}.")
    for _ in range(TRIES):
        if answer := ask(question):
            return answer
    raise Usage("not_given", f"{question.rstrip(': ')} is missing.", f"Give it with {option}.")


def read_password(session: Session, from_stdin: bool, new: bool = False, question: str = "Password: ") -> str:
    if from_stdin:
        with legible():
            return sys.stdin.readline().rstrip("\r\n")
    if not session.interactive:
        raise Usage("no_password", "The password is missing.", "Give it with --password-stdin.")
    from getpass import getpass

    with legible():
        password = getpass(question)
        once_more = getpass("Once more: ") if new else password
    if once_more != password:
        session.say("These were not the same.")
        return read_password(session, from_stdin, new, question)
    return password
