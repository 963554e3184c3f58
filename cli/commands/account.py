"""Account commands: name, time zone, email address, password, and deletion."""

from shutil import rmtree
from typing import Annotated

import typer

from cli.command import Result, command
from cli.commands.login import PasswordStdin, ServerUrl, using_server, with_server_option
from cli.local_store import Document
from cli.problems import Refused, Usage
from cli.render.style import Style
from cli.session import Session

RESET_COMMAND = "turnpost password --forgotten"
CODE_COMMAND = "turnpost password --code CODE"


@command("turnpost whoami", "turnpost whoami --json")
def whoami(session: Session) -> Result:
    """Show which account and server you are using."""
    me = session.server.get("me")
    data = {
        **{name: me[name] for name in ("username", "name", "email", "time_zone")},
        "url": session.profile.url,
        "profile": session.name,
        "current": session.store.current or None,
    }
    return Result(data, lambda style: whoami_text(data, style))


def whoami_text(data: Document, style: Style) -> str:
    username = "" if data["name"] == data["username"] else f"{data['username']}, "
    who = f"{style.paint(data['name'], 'bold')} ({username}{data['email']}) at {data['url']}"
    current = (
        f"Your current match: {data['current']}" if data["current"] else "No current match. Choose one: turnpost use ID"
    )
    return f"{who}\n{current}"


@command(
    "turnpost account --name 'Ann B.' --time-zone Europe/Berlin",
    "turnpost account --email ann@new.example --password-stdin < password.txt",
    "turnpost account --bot --yes",
    "turnpost account --delete --yes --password-stdin < password.txt",
)
def account(
    session: Session,
    name: Annotated[
        str | None, typer.Option("--name", help="The name other players see. Use '' for your username.")
    ] = None,
    time_zone: Annotated[str | None, typer.Option("--time-zone", help="For example Europe/Berlin.")] = None,
    email: Annotated[str, typer.Option("--email", help="New email address. Asks for your password.")] = "",
    bot: Annotated[bool, typer.Option("--bot", help="Turn this into a bot account, permanently.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete your account, permanently.")] = False,
    password_stdin: PasswordStdin = False,
) -> Result | None:
    """Change your name, time zone or address, or delete your account.

    A new address takes effect when you open the link we send to it and enter your password there. With --bot, the
    account becomes a bot account permanently: it is labeled as a bot and can play only in matches that allow bots.

    With --delete, you are asked to confirm and to enter your password. Your name, address and settings are deleted,
    your matches continue without you, and this client deletes the data it saved for the account. This can't be undone.
    """
    if delete:
        if bot or email or name is not None or time_zone is not None:
            raise Usage("delete_alone", "--delete can't be combined with changes.", "Use it alone.")
        return delete_account(session, password_stdin)
    given = {"display_name": name, "time_zone": time_zone}
    changes = {field: value for field, value in given.items() if value is not None}
    if bot:
        if not session.confirm("Make this a bot account? This can't be undone."):
            return None
        session.server.post("me/bot")
    if not (changes or email or bot):
        hint = "Options: turnpost account --help   Your account: turnpost whoami"
        raise Usage("nothing_to_change", "Nothing to change.", hint)
    if email:
        current = session.ask_password(from_stdin=password_stdin)
        session.server.post("address-changes", {"email": email, "password": current})
    me = session.server.patch("me", changes) if changes else session.server.get("me")
    data = {field: me[field] for field in ("username", "name", "email", "time_zone")} | {"mailed_to": email or None}
    return Result(data, lambda style: account_text(data, style))


def delete_account(session: Session, password_stdin: bool) -> Result | None:
    me, server, data_folder = session.server.get("me"), session.server, session.store.folder
    username, url = me["username"], session.profile.url
    if not session.confirm(f"Delete the account {username} at {url}? This can't be undone."):
        return None
    password = session.ask_password(from_stdin=password_stdin)
    server.post("me/deletion", {"password": password})
    if session.store.username:  # The account comes from the saved profile, not from the environment.
        session.forget_profile()
    rmtree(data_folder, ignore_errors=True)
    text = f"Your account {username} has been deleted."
    return Result({"deleted": username}, lambda _style: text)


def account_text(data: Document, style: Style) -> str:
    who = f"{style.paint(data['name'], 'bold')} ({data['username']}, {data['email']}), time zone {data['time_zone']}"
    to_do = f"To use the new address, open the link in the email to {data['mailed_to']} and enter your password."
    return f"{who}\n{to_do}" if data["mailed_to"] else who


@command(
    "turnpost password",
    "turnpost password --forgotten --email ann@example.org",
    "turnpost password --code 123456 --password-stdin < password.txt",
)
def password(
    session: Session,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Get a code by email to set a new password.")] = False,
    email: Annotated[str, typer.Option("--email", help="Your email address, with --forgotten.")] = "",
    code: Annotated[str, typer.Option("--code", help="The code from that email.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
) -> Result:
    """Change or reset your password.

    You'll be asked for your current and new passwords. With --password-stdin, they are read from standard input, one
    per line. All your other machines are logged out.
    """
    if forgotten and code:
        raise Usage("two_steps", "--forgotten and --code can't be combined.", f"Once you have the code: {CODE_COMMAND}")
    with using_server(session, server):
        if forgotten:
            return request_reset(session, email or session.ask_required("Email address: ", "--email"))
        if code:
            return reset_password(session, code, session.ask_password(from_stdin=password_stdin, new=True))
        return change_password(session, password_stdin)


def request_reset(session: Session, email: str) -> Result:
    session.anonymous_server.post("password-resets", {"email": email})
    then = with_server_option(session, f"Then: {CODE_COMMAND}")
    text = f"If there is an account with the address {email}, we've emailed a code. {then}"
    return Result({"changed": False, "mailed_to": email}, lambda _style: text)


def reset_password(session: Session, code: str, new: str) -> Result:
    try:
        session.anonymous_server.post("password-resets/confirm", {"token": code, "password": new})
    except Refused as problem:
        if problem.code == "bad_link":
            problem.message = "This code has been used or has expired."
            problem.hint = f"Get another: {RESET_COMMAND}"
        raise
    text = with_server_option(session, "Password changed. All machines are logged out. Log in: turnpost login")
    return Result({"changed": True, "mailed_to": None}, lambda _style: text)


def change_password(session: Session, password_stdin: bool) -> Result:
    server = session.server
    current = session.ask_password(from_stdin=password_stdin, question="Current password: ")
    new = session.ask_password(from_stdin=password_stdin, new=True, question="New password: ")
    server.put("me/password", {"current": current, "password": new})
    text = "Password changed. You're still logged in here; all other machines are logged out."
    return Result({"changed": True, "mailed_to": None}, lambda _style: text)
