from importlib.metadata import version
from typing import Annotated

import typer

from cli.commands.games import games, rules

app = typer.Typer(no_args_is_help=True, help="Play board games by mail, from the shell.")
app.command()(games)
app.command()(rules)


def show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"turnpost {version('turnpost')}")
        raise typer.Exit


@app.callback()
def turnpost(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None: ...
