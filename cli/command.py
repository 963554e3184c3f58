"""What all commands have in common: a session, shared options, a result on stdout, and problems with a hint on
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
"""The match id used in help examples."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip confirmation prompts.")]
StyleName = Annotated[
    str | None,
    typer.Option("--style", metavar="STYLE", help="colour, plain, or speech (for screen readers)."),
]
ProfileName = Annotated[str, typer.Option("--profile", metavar="NAME", help="Saved account to use.")]
MatchId = Annotated[
    str | None,
    typer.Argument(
        metavar="[ID]",
        help="Match id, or the start of one (default: the current match).",
        autocompletion=completion.match_ids,
    ),
]
RequiredMatchId = Annotated[str, typer.Argument(metavar="ID", help="Match id.", autocompletion=completion.match_ids)]

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


def command(*examples: str) -> Callable[[Callable[Concatenate[Session, P], Result | None]], Callable[..., None]]:
    """Turn a function into a command that takes the shared options, prints its result and reports its problems."""
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
    else:
        typer.echo(typeable(result.render(session.style), session.profile_name))


def print_problem(problem: Problem, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(problem.body, indent=2), err=True)
        return
    in_colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    typer.echo(Style(colour=in_colour).paint(printable(problem.message), "bad"), err=True)
    if problem.hint:
        typer.echo(printable(problem.hint), err=True)
