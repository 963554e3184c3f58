"""Assemble the commands. A command's module is imported only when it runs, so that every command starts fast."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import takewhile
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cli.command_list import ALIASES, COMMANDS, SECTIONS
from games.engine.registry import verbs

WANTS_JSON = "turnpost.json"


class LazyCommands(TyperGroup):
    """Loads commands from the command list. A move typed directly is a shortcut for `play` in the current match."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        wants_json = "--json" in takewhile(lambda word: word != "--", args)
        with usage_errors(as_json=wants_json):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[WANTS_JSON] = wants_json
        return context

    def invoke(self, ctx: Any) -> Any:
        with usage_errors(as_json=ctx.meta[WANTS_JSON]):
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        name = ALIASES.get(cmd_name, cmd_name)
        return load_command(name) if name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0].lower() in verbs() and args[0] not in COMMANDS:
            args = ["play", *args]
        self.commands = dict.fromkeys([*COMMANDS, *ALIASES, *verbs()])  # type: ignore[assignment]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(with_aliases(name), entry.help) for name, entry in commands.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        from cli.completion import first_words

        return first_words(incomplete)


@contextmanager
def usage_errors(*, as_json: bool) -> Iterator[None]:
    """With --json, print Typer's own errors in the same format as all other problems."""
    try:
        yield
    except TyperException as error:
        if not as_json:
            raise
        from cli.command import print_problem
        from cli.problems import Usage

        where = getattr(error, "ctx", None)
        problem = Usage("usage", error.format_message(), f"See: {where.command_path if where else 'turnpost'} --help")
        print_problem(problem, as_json=True)
        raise typer.Exit(problem.exit_code) from None


def with_aliases(name: str) -> str:
    return ", ".join([name, *(alias for alias, command in ALIASES.items() if command == name)])


def load_command(name: str) -> Any:
    function = getattr(import_module(f"cli.commands.{COMMANDS[name].module}"), COMMANDS[name].function)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name)(function)
    return typer.main.get_command(single)


app = typer.Typer(
    cls=LazyCommands,
    help="Play board games by mail from the command line.",
    epilog="Type a move directly to play it in your current match: turnpost take 2",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    if wanted:
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
    json: Annotated[bool, typer.Option("--json", help="Print the matches waiting for you as JSON.")] = False,
    profile: Annotated[str, typer.Option("--profile", metavar="NAME", help="Saved account to use.")] = "",
) -> None:
    from cli.command import remember_profile

    remember_profile(ctx, profile)
    if ctx.invoked_subcommand is None:
        from cli.commands.matches import home

        home(ctx=ctx, json=json)
    elif json:
        advice = f"put it after the command: turnpost {ctx.invoked_subcommand} --json"
        raise typer.BadParameter(advice, param_hint="--json")
