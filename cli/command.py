"""Features that all commands share: a session, shared options, a result on stdout, and problems with hints on
stderr."""

import inspect
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from cli import completion
from cli.problems import Problem
from cli.render import style as styles
from cli.render.style import Style
from cli.sanitize import printable
from cli.session import Session, typeable

P = ParamSpec("P")

PROFILE = "turnpost.profile"
EXAMPLE_MATCH = "k7m2x9q4a"
"""The match ID used in help examples."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip confirmation prompts.")]
StyleName = Annotated[
    str | None,
    typer.Option("--style", metavar="STYLE", help="color, plain, or speech (for screen readers)."),
]
ProfileName = Annotated[str, typer.Option("--profile", metavar="NAME", help="Saved account to use.")]
MatchId = Annotated[
    str | None,
    typer.Argument(
        metavar="[ID]",
        help="Match ID, the start of one, or a title (default: the current match).",
        autocompletion=completion.match_ids,
    ),
]
RequiredMatchId = Annotated[
    str,
    typer.Argument(metavar="ID", help="Match ID, the start of one, or a title.", autocompletion=completion.match_ids),
]
MatchOption = Annotated[
    str | None,
    typer.Option(
        "--match",
        "-m",
        metavar="ID",
        help="Match ID, the start of one, or a title (default: the current match).",
        autocompletion=completion.match_ids,
    ),
]

SHARED_OPTIONS = [
    inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
    inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    inspect.Parameter("yes", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Yes),
    inspect.Parameter("style", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=StyleName),
    inspect.Parameter("profile", inspect.Parameter.KEYWORD_ONLY, default="", annotation=ProfileName),
]


@dataclass(frozen=True)
class Result:
    """A command's output: `data` for --json, `render` for people."""

    data: Any
    render: Callable[[Style], str]
    is_read_from_the_top: bool = False
    """Whether the most important lines come first, and therefore must not scroll off the screen."""


def command(*examples: str) -> Callable[[Callable[Concatenate[Session, P], Result | None]], Callable[..., None]]:
    """Turn a function into a command that accepts the shared options, prints its result and reports its problems."""
    return lambda function: with_shared_options(function, examples)


def with_shared_options(
    function: Callable[Concatenate[Session, P], Result | None], examples: tuple[str, ...]
) -> Callable[..., None]:
    own = list(inspect.signature(function).parameters.values())[1:]
    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]

    @wraps(function)
    def run(
        ctx: typer.Context,
        json: bool = False,
        yes: bool = False,
        style: str | None = None,
        profile: str = "",
        **given: Any,
    ) -> None:
        profile = profile or ctx.meta.get(PROFILE, "")
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            session = Session(styles.choose(style), json, yes, profile)
            print_result(session, function(session, **given))  # type: ignore[call-arg]
        except Problem as problem:
            problem.hint = typeable(problem.hint, profile)
            print_problem(problem, as_json=json)
            raise typer.Exit(problem.exit_code) from None

    run.__signature__ = inspect.Signature([*own, *SHARED_OPTIONS])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *SHARED_OPTIONS]}
    run.__doc__ = "\n".join(
        [inspect.getdoc(function) or "", "", "\b", "Examples:", *(f"  {line}" for line in examples)]
    )
    run.examples = examples  # type: ignore[attr-defined]
    return run


def remember_profile(ctx: typer.Context, profile: str) -> None:
    """Remember a --profile given before the subcommand."""
    if profile:
        ctx.meta[PROFILE] = profile


def print_result(session: Session, result: Result | None) -> None:
    if result is None:
        return
    if session.json:
        typer.echo(json.dumps(result.data, indent=2))
        return
    text = typeable(result.render(session.style), session.profile_name)
    is_too_long = text.count("\n") + 2 >= session.style.height
    if result.is_read_from_the_top and session.interactive and session.style.drawn and is_too_long:
        from cli.terminal import show_in_pager

        show_in_pager(text)
        return
    # Without `color`, echo would remove requested colors when the output is piped.
    typer.echo(text, color=session.style.colour or None)


def print_problem(problem: Problem, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(problem.body, indent=2), err=True)
        return
    in_colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    typer.echo(Style(colour=in_colour).paint(printable(problem.message), "bad"), err=True)
    if problem.hint:
        typer.echo(printable(problem.hint), err=True)
