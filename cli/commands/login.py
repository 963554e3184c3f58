"""Register, log in, log out."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from cli.client import Server
from cli.command import Result, command
from cli.environment import local_time_zone
from cli.local_store import Document
from cli.problems import NeedsLogin, Problem, Refused, Unreachable, Usage
from cli.render.style import Style
from cli.session import Session, valid_url

TAKES_SERVER_OPTION = r"turnpost (login|register|password)"
"""The commands that can be for a server other than the profile's."""
UNKNOWN_TIME_ZONE = """\
This machine's time zone is unknown, so times are in UTC.
To change it once you are logged in: turnpost account --time-zone Europe/Berlin"""
ServerUrl = Annotated[str, typer.Option("--server", help="The server's address (default: the one used before).")]
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
    with using_server(session, server):
        if code:
            return finish_registration(session, code, password_stdin)
        username = username or session.ask_required("User name: ", "--username")
        email = email or session.ask_required("E-mail address: ", "--email")
        password = session.ask_password(from_stdin=password_stdin, new=True)
        begin_registration(session, username, email, password)
        on_its_way = f"A mail with a code is on its way to {email}."
        if not session.interactive:
            then = f"{on_its_way} Then: turnpost register --code CODE"
            return Result({"username": username, "confirmed": False}, lambda _style: then)
        session.inform(on_its_way)
        return log_in_confirmed(session, confirm_registration(session), password)


def finish_registration(session: Session, code: str, password_stdin: bool) -> Result:
    """The password is asked for first: a code can be used only once, and a player who stops here can try again."""
    if not session.profile.registration:
        hint = "Register: turnpost register   Already confirmed: turnpost login"
        raise Usage("nothing_to_confirm", "There is no registration to confirm.", hint)
    password = session.ask_password(from_stdin=password_stdin)
    return log_in_confirmed(session, confirm_registration(session, code), password)


def begin_registration(session: Session, username: str, email: str, password: str) -> None:
    """From here on the profile is that of the new account; the same write removes the token of an earlier one."""
    time_zone = local_time_zone()
    applicant = {"username": username, "email": email, "password": password, "time_zone": time_zone or "UTC"}
    registration = str(session.anonymous_server.post("registrations", applicant)["registration"])
    session.save_profile(url=session.profile.url, token="", username=username, registration=registration)
    session.inform(f"Your time zone: {time_zone}." if time_zone else UNKNOWN_TIME_ZONE)


def confirm_registration(session: Session, code: str = "") -> str:
    """The name of the account. A wrong code can be typed again."""
    body = {"registration": session.profile.registration}
    while True:
        body["code"] = code or ask_code(session)
        try:
            confirmed = session.anonymous_server.post("registrations/confirm", body)
        except Refused as problem:
            if code or problem.code not in ("wrong_code", "invalid"):
                raise
            session.inform(f"{problem.message} {problem.hint}")
        else:
            session.save_profile(registration="")
            return str(confirmed["username"])


def ask_code(session: Session) -> str:
    try:
        return session.ask_required("Code from the mail: ", "--code")
    except KeyboardInterrupt:
        session.inform("\nWhen you have the mail: turnpost register --code CODE")
        raise


def log_in_confirmed(session: Session, username: str, password: str) -> Result:
    """The account exists even if the login fails."""
    try:
        return log_in(session, username, password)
    except Problem as problem:
        why = "The password is wrong." if problem.code == "wrong_login" else problem.message
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

    The token is saved in a file that only you can read. For several accounts or servers: --profile NAME
    """
    with using_server(session, server):
        name = name or session.ask_required("User name or e-mail address: ", "NAME")
        return log_in(session, name, session.ask_password(from_stdin=password_stdin))


def log_in(session: Session, name: str, password: str) -> Result:
    device = f"turnpost on {socket.gethostname()}"[:60]
    made = session.anonymous_server.post("tokens", {"login": name, "password": password, "name": device})
    me = Server(session.profile.url, made["token"]).get("me")
    session.save_profile(url=session.profile.url, token=made["token"], username=me["username"], registration="")
    data = {"username": me["username"], "url": session.profile.url, "profile": session.name}
    return Result(data, lambda style: welcome(me, session.profile.url, style))


def welcome(me: Document, url: str, style: Style) -> str:
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
    server, text = session.server, "You are logged out."
    try:
        server.delete("tokens" if everywhere else "tokens/current")
    except NeedsLogin as problem:
        session.save_profile(token="")
        if everywhere:
            problem.message = "The token was no longer valid and was removed here. No other machine was logged out."
            problem.hint = "Log in and try again: turnpost login"
            raise
        text = "You are logged out. The token was no longer valid."
    except Unreachable as problem:
        if everywhere:
            raise
        text = f"{problem.message} The token was removed here, but is still valid on the server."
    session.save_profile(token="")
    return Result({"profile": session.name}, lambda _style: text)


@contextmanager
def using_server(session: Session, url: str) -> Iterator[None]:
    """Use --server without saving it: the saved token belongs to another server. The address is saved together with
    the token or registration that the new server gives; until then every hint names it."""
    session.server_option = valid_url(url).rstrip("/") if url else ""
    try:
        yield
    except Problem as problem:
        problem.hint = with_server_option(session, problem.hint)
        raise


def with_server_option(session: Session, hint: str) -> str:
    """Add --server to the commands in a hint if the profile has another server."""
    url = session.server_option
    if not url or url == session.config.profile(session.name).url:
        return hint
    return re.sub(TAKES_SERVER_OPTION, lambda found: f"{found[0]} --server {url}", hint)
