"""What all commands share: the same options everywhere, results to stdout, problems to stderr with a hint."""

import inspect
import json
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from cli.problems import Problem
from cli.render import style as styles
from cli.result import Result
from cli.safe import printable
from cli.session import Session

P = ParamSpec("P")

EXAMPLE_MATCH = "k7m2x9q4a"
"""The match that the examples in the help pages speak of."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether you mean it.")]
StyleName = Annotated[
    str | None,
    typer.Option("--style", metavar="STYLE", help="colour, plain, or speech (sentences for a screen reader)."),
]
ProfileName = Annotated[str, typer.Option("--profile", metavar="NAME", help="Which saved account to use.")]

SHARED = [
    inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    inspect.Parameter("yes", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Yes),
    inspect.Parameter("style", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=StyleName),
    inspect.Parameter("profile", inspect.Parameter.KEYWORD_ONLY, default="", annotation=ProfileName),
]


def command(*examples: str) -> Callable[[Callable[Concatenate[Session, P], Result | None]], Callable[..., None]]:
    """A command with the shared options. It gets a session first, and what it returns is shown."""
    return lambda function: with_shared_options(function, examples)


def with_shared_options(
    function: Callable[Concatenate[Session, P], Result | None], examples: tuple[str, ...]
) -> Callable[..., None]:
    own = list(inspect.signature(function).parameters.values())[1:]
    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]

    @wraps(function)
    def run(json: bool = False, yes: bool = False, style: str | None = None, profile: str = "", **given: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            session = Session(styles.choose(style), json, yes, profile)
            show(session, function(session, **given))  # type: ignore[call-arg]
        except Problem as problem:
            complain(problem, json)
            raise typer.Exit(problem.exit_code) from None

    run.__signature__ = inspect.Signature([*own, *SHARED])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *SHARED]}
    run.__doc__ = "\n".join(
        [inspect.getdoc(function) or "", "", "\b", "Examples:", *(f"  {line}" for line in examples)]
    )
    run.examples = examples  # type: ignore[attr-defined]
    return run


def show(session: Session, result: Result | None) -> None:
    if result is not None:
        typer.echo(json.dumps(result.data, indent=2) if session.json else result.show(session.style))


def complain(problem: Problem, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(problem.body, indent=2), err=True)
        return
    in_colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    typer.echo(styles.Style(colour=in_colour).paint(printable(problem.message), "bad"), err=True)
    if problem.hint:
        typer.echo(printable(problem.hint), err=True)
