"""Show help, like --help."""

from typing import Annotated

import typer

from cli.command import Result, command
from cli.command_list import ALIASES, COMMANDS
from cli.problems import Usage
from cli.session import Session
from games.engine.registry import verbs


@command("turnpost help", "turnpost help join", "turnpost help notify set")
def help_page(
    session: Session,  # noqa: ARG001
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]", help="The command (default: list all commands).")
    ] = None,
) -> Result:
    """Show help on a command, or list all commands."""
    text = page_about(words or [])
    data = {"command": " ".join(words or []), "help": text}
    return Result(data, lambda _style: text, is_read_from_the_top=True)


def page_about(words: list[str]) -> str:
    from cli.main import app

    about = typer.main.get_command(app)
    context = about.context_class(about, info_name="turnpost", **about.context_settings)
    for word in words:
        name = command_name(word) if context.parent is None else word.lower()
        inner = about.get_command(context, name) if hasattr(about, "get_command") else None
        if inner is None:
            raise Usage("no_such_command", f"There is no command '{' '.join(words)}'.", "List them: turnpost help")
        about, context = inner, inner.context_class(inner, info_name=name, parent=context)
    return str(about.get_help(context)).rstrip()


def command_name(word: str) -> str:
    """Return the command that a word stands for. Moves stand for `play`."""
    known = ALIASES.get(word.lower(), word.lower())
    return "play" if known in verbs() and known not in COMMANDS else known
