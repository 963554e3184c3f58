"""Register, log in and log out."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from cli.client import Server
from cli.command import Result, command
from cli.config import DEFAULT_URL
from cli.environment import local_time_zone
from cli.local_store import Document
from cli.problems import NeedsLogin, Problem, Refused, Unreachable, Usage
from cli.render.style import Style
from cli.sanitize import one_line
from cli.session import Session, valid_url
from turnpost.http import full_url

TAKES_SERVER_OPTION = r"turnpost (login|register|password)"
"""Matches the commands that accept --server."""
UNKNOWN_TIME_ZONE = """\
Couldn't detect your time zone, so times are in UTC.
Change it once you're logged in: turnpost account --time-zone Europe/Berlin"""
SERVER_HELP = f"Server address (default: the last one you logged in to, or {DEFAULT_URL})."
ServerUrl = Annotated[str, typer.Option("--server", help=SERVER_HELP)]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
Code = Annotated[str, typer.Option("--code", help="Finish registering with the code from the email.")]


@command(
    "turnpost register",
    "turnpost register --username dora --email dora@example.org --password-stdin < password.txt",
    "turnpost register --code 123456 --password-stdin < password.txt",
)
def register(
    session: Session,
    username: Annotated[str, typer.Option("--username", "-u", help="3 to 30 letters, digits, - or _.")] = "",
    email: Annotated[str, typer.Option("--email", help="Where to email you when it's your turn.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
    code: Code = "",
) -> Result | None:
    """Create an account.

    You'll get a code by email. Enter it here, or later: turnpost register --code 123456
    """
    with using_server(session, server):
        if code:
            return finish_registration(session, code, username, password_stdin)
        if not may_replace_account(session):
            return None
        answers = {"username": username, "email": email, "password": ""}
        mail_page = apply(session, answers, password_stdin)
        username, email, password = answers.values()
        on_its_way = f"Your code is at {mail_page}" if mail_page else f"We've emailed a code to {email}."
        if not session.interactive:
            then = f"{on_its_way}\nThen: turnpost register --code CODE"
            return Result({"username": username, "confirmed": False}, lambda _style: then)
        session.inform(on_its_way)
        return log_in_confirmed(session, confirm_registration(session), password)


def apply(session: Session, answers: dict[str, str], password_stdin: bool) -> str:
    """Prompt for missing values, and register. In a terminal, prompt again only for values that the server refuses.

    Return the URL where a local server shows its emails, or an empty string if the server sends them.
    """
    while True:
        answers["username"] = answers["username"] or session.ask_required("Username: ", "--username")
        answers["email"] = answers["email"] or session.ask_required("Email address: ", "--email")
        answers["password"] = answers["password"] or session.ask_password(from_stdin=password_stdin, new=True)
        try:
            return begin_registration(session, **answers)
        except Refused as problem:
            wrong = answers.keys() & problem.data.get("fields", {}).keys()
            if not wrong or not session.interactive or password_stdin:
                raise
            session.inform(problem.message)
            answers |= dict.fromkeys(wrong, "")


def finish_registration(session: Session, code: str, username: str, password_stdin: bool) -> Result:
    """Ask for the password before using the code, which works only once.

    If the player leaves at the prompt, they can still use the code later.
    """
    if not session.profile.registration:
        hint = "Register: turnpost register   Already confirmed? turnpost login"
        raise Usage("nothing_to_confirm", "There is no registration to confirm.", hint)
    password = session.ask_password(from_stdin=password_stdin)
    return log_in_confirmed(session, confirm_registration(session, code, username), password)


def begin_registration(session: Session, username: str, email: str, password: str) -> str:
    """Save the new account in this profile, which also removes the token of an earlier account."""
    time_zone = local_time_zone()
    applicant = {"username": username, "email": email, "password": password, "time_zone": time_zone or "UTC"}
    begun = session.anonymous_server.post("registrations", applicant)
    registration = str(begun["registration"])
    session.save_profile(url=session.profile.url, token="", username=username, registration=registration)
    session.inform(f"Your time zone: {time_zone}." if time_zone else UNKNOWN_TIME_ZONE)
    return one_line(str(begun.get("mail_page") or ""))


def confirm_registration(session: Session, code: str = "", username: str = "") -> str:
    """Confirm the registration and return the username.

    In a terminal, ask again after a wrong code, and for another username if this one has been taken in the meantime.
    """
    body = {"registration": session.profile.registration, "code": code or ask_code(session)}
    if username:
        body["username"] = username
    while True:
        try:
            confirmed = session.anonymous_server.post("registrations/confirm", body)
        except Refused as problem:
            wrong = {"username_taken": "username", "wrong_code": "code"}.get(problem.code) or next(
                iter(problem.data.get("fields", {})), ""
            )
            if wrong not in ("username", "code") or not session.interactive or (wrong == "code" and code):
                raise
            session.inform(problem.text if problem.code == "wrong_code" else problem.message.removeprefix("code: "))
            body[wrong] = ask_code(session) if wrong == "code" else session.ask_required("Username: ", "--username")
        else:
            session.save_profile(registration="")
            return str(confirmed["username"])


def ask_code(session: Session) -> str:
    try:
        return session.ask_required("Code from the email: ", "--code")
    except KeyboardInterrupt:
        session.inform("\nWhen the email arrives: turnpost register --code CODE")
        raise


def log_in_confirmed(session: Session, username: str, password: str) -> Result:
    """Log in to a new account.

    If that fails, tell the player that the account exists anyway.
    """
    try:
        return log_in(session, username, password)
    except Problem as problem:
        why = "The password is wrong." if problem.code == "wrong_login" else problem.message
        problem.message = f"Your account {username} is ready, but you're not logged in. {why}"
        problem.hint = f"Log in: turnpost login {username}"
        raise


@command("turnpost login", "turnpost login ann --server http://localhost:8000 --password-stdin < password.txt")
def login(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Your username or email address.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
) -> Result | None:
    """Log in on this machine.

    Saves a token in a file that only you can read. To use several accounts or servers, add --profile NAME.
    """
    with using_server(session, server):
        name = name or session.ask_required("Username or email address: ", "NAME")
        if not may_replace_account(session, name):
            return None
        return log_in(session, name, session.ask_password(from_stdin=password_stdin))


def may_replace_account(session: Session, name: str = "") -> bool:
    """Tell a player who is already logged in how to keep that login. In a terminal, ask before replacing it."""
    saved = session.config.profile(session.name)
    if not saved.token or name.lower() == saved.username.lower():
        return True
    session.inform(f"You're logged in as {saved.username}. To keep that account, use --profile NAME.")
    return not session.interactive or session.confirm("Replace it?")


def log_in(session: Session, name: str, password: str) -> Result:
    device = f"turnpost on {socket.gethostname()}"[:60]
    made = session.anonymous_server.post("tokens", {"login": name, "password": password, "name": device})
    me = Server(session.profile.url, made["token"]).get("me")
    session.save_profile(url=session.profile.url, token=made["token"], username=me["username"], registration="")
    data = {"username": me["username"], "url": session.profile.url, "profile": session.name}
    return Result(data, lambda style: welcome(me, session.profile.url, style))


def welcome(me: Document, url: str, style: Style) -> str:
    greeting = style.paint(f"Welcome, {me['name']}.", "good")
    return f"{greeting} You're logged in to {url}.\nNext: turnpost   Open matches: turnpost matches open"


@command("turnpost logout", "turnpost logout --everywhere --yes")
def logout(
    session: Session,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="Log out on all machines.")] = False,
) -> Result | None:
    """Log out on this machine."""
    if everywhere and not session.confirm("Log out on all machines?"):
        return None
    server, text = session.server, "Logged out."
    try:
        server.delete("tokens" if everywhere else "tokens/current")
    except NeedsLogin as problem:
        session.save_profile(token="")
        if everywhere:
            problem.message = "Your token was no longer valid and has been removed. No other machine was logged out."
            problem.hint = "Log in and try again: turnpost login"
            raise
        text = "Logged out. Your token was no longer valid."
    except Unreachable as problem:
        if everywhere:
            raise
        text = f"{problem.message} Your token was removed here but is still valid on the server."
    session.save_profile(token="")
    return Result({"profile": session.name}, lambda _style: text)


@contextmanager
def using_server(session: Session, url: str) -> Iterator[None]:
    """Use --server without saving it, because the saved token belongs to another server.

    The address is saved together with the token or registration that the new server issues. Until then, every hint
    includes it.
    """
    session.server_option = valid_url(full_url(url)) if url else ""
    session.may_be_new = True
    try:
        yield
    except Problem as problem:
        problem.hint = with_server_option(session, problem.hint)
        raise


def with_server_option(session: Session, hint: str) -> str:
    """Add --server to the commands in a hint, unless the profile already uses that server."""
    url = session.server_option
    if not url or url == session.config.profile(session.name).url:
        return hint
    return re.sub(TAKES_SERVER_OPTION, lambda found: f"{found[0]} --server {url}", hint)
