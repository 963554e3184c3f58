"""Puts the commands together. A command's module is imported when the command is called, so that all start quickly."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import takewhile
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cli.contents import ALIASES, COMMANDS, SECTIONS
from games.engine.registry import verbs

WANTS_JSON = "turnpost.json"


class Commands(TyperGroup):
    """The commands by their contents; a move's verb is an order for the current match."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        wants_json = "--json" in takewhile(lambda word: word != "--", args)
        with misuse_told(as_json=wants_json):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[WANTS_JSON] = wants_json
        return context

    def invoke(self, ctx: Any) -> Any:
        with misuse_told(as_json=ctx.meta[WANTS_JSON]):
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        name = ALIASES.get(cmd_name, cmd_name)
        return load(name) if name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0].lower() in verbs() and args[0] not in COMMANDS:
            args = ["play", *args]
        self.commands = dict.fromkeys([*COMMANDS, *ALIASES, *verbs()])  # type: ignore[assignment]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(called(name), entry.help) for name, entry in commands.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        from cli.completion import orders

        return orders(incomplete)


@contextmanager
def misuse_told(*, as_json: bool) -> Iterator[None]:
    """What typer itself finds wrong with a command line is told in the form of all other problems, to programs."""
    try:
        yield
    except TyperException as error:
        if not as_json:
            raise
        from cli.command import complain
        from cli.problems import Usage

        where = getattr(error, "ctx", None)
        problem = Usage("usage", error.format_message(), f"See: {where.command_path if where else 'turnpost'} --help")
        complain(problem, as_json=True)
        raise typer.Exit(problem.exit_code) from None


def called(name: str) -> str:
    return ", ".join([name, *(alias for alias, meant in ALIASES.items() if meant == name)])


def load(name: str) -> Any:
    function = getattr(import_module(f"cli.commands.{COMMANDS[name].module}"), COMMANDS[name].function)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(name)(function)
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=Commands,
    help="Play board games by mail, from the shell.",
    epilog="A move's own words are an order for your current match: turnpost take 2",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"turnpost {version('turnpost')}")
        raise typer.Exit


@app.callback()
def turnpost(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print what waits for you as JSON, for programs.")] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        from cli.commands.status import home

        home(json=json)
    elif json:
        behind = f"write it behind the command: turnpost {ctx.invoked_subcommand} --json"
        raise typer.BadParameter(behind, param_hint="--json")
