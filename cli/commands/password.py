"""A new password: for one that is known, or for one that is forgotten."""

from typing import Annotated

import typer

from cli.command import command
from cli.commands.account import PasswordStdin, ServerUrl, asked, at_server, naming_server, read_password
from cli.problems import Refused, Usage
from cli.result import Result
from cli.session import Session

ASK_BY_MAIL = "turnpost password --forgotten"
SET_BY_CODE = "turnpost password --code CODE"


@command(
    "turnpost password",
    "turnpost password --forgotten --email ann@example.org",
    "turnpost password --code 123456 --password-stdin < password.txt",
)
def password(
    session: Session,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Get a mail with a code for a new one.")] = False,
    email: Annotated[str, typer.Option("--email", help="The address of the account, if it is forgotten.")] = "",
    code: Annotated[str, typer.Option("--code", help="The code from that mail.")] = "",
    server: ServerUrl = "",
    password_stdin: PasswordStdin = False,
) -> Result:
    """Change your password, or get a new one if you forgot it.

    Without options you are asked for the present one and for a new one; --password-stdin reads a line for each. All
    other machines are logged out.
    """
    if forgotten and code:
        raise Usage("two_steps", "The code is in the mail that --forgotten asks for.", f"With it: {SET_BY_CODE}")
    with at_server(session, server):
        if forgotten:
            return ask_for_mail(session, email or asked(session, "E-mail address: ", "--email"))
        if code:
            return set_by_code(session, code, read_password(session, password_stdin, new=True))
        return change(session, password_stdin)


def ask_for_mail(session: Session, email: str) -> Result:
    session.stranger.post("password-resets", {"email": email})
    then = naming_server(session, f"Then: {SET_BY_CODE}")
    said = f"If {email} has an account, a mail with a code is on its way. {then}"
    return Result({"changed": False, "mailed_to": email}, lambda _style: said)


def set_by_code(session: Session, code: str, new: str) -> Result:
    try:
        session.stranger.post("password-resets/confirm", {"token": code, "password": new})
    except Refused as problem:
        if problem.code == "bad_link":
            problem.message = "This code has been used, or is too old."
            problem.hint = f"Ask for another: {ASK_BY_MAIL}"
        raise
    said = naming_server(session, "Your password is changed, and every log-in has ended. Log in: turnpost login")
    return Result({"changed": True, "mailed_to": None}, lambda _style: said)


def change(session: Session, password_stdin: bool) -> Result:
    server = session.server
    current = read_password(session, password_stdin, question="Present password: ")
    new = read_password(session, password_stdin, new=True, question="New password: ")
    server.put("me/password", {"current": current, "password": new})
    said = "Your password is changed. You stay logged in here, and are logged out everywhere else."
    return Result({"changed": True, "mailed_to": None}, lambda _style: said)
