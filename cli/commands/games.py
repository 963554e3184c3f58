"""The games and their rules, from the engine that comes with the client: no server is asked."""

import json as json_form
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown

from games.engine import option_words
from games.engine.errors import UnknownGame
from games.engine.registry import AnyEngine, engine, engines

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Slug = Annotated[str, typer.Argument(metavar="GAME", help="Such as coloretto.")]
WIDEST = 100


def games(json: Json = False) -> None:
    """List the games."""
    if json:
        print_json({"games": [described(game) for game in engines()]})
    else:
        typer.echo("\n\n".join(summary(game) for game in engines()))


def rules(game: Slug, json: Json = False) -> None:
    """Read the rules of a game."""
    found = known(game)
    if json:
        print_json({"slug": found.slug, "title": found.title, "markdown": found.rules_page()})
    elif sys.stdout.isatty():
        console = Console()
        console.print(Markdown(found.rules_page()), width=min(WIDEST, console.width))
    else:
        typer.echo(found.rules_page(), nl=False)


def known(slug: str) -> AnyEngine:
    try:
        return engine(slug.lower())
    except UnknownGame as error:
        typer.echo(f"{error.message}\n{error.hint}", err=True)
        raise typer.Exit(2) from None


def described(game: AnyEngine) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "seats": list(game.seats),
        "options": option_words.schemas(game.options),
        "notation": [{"example": example, "meaning": meaning} for example, meaning in game.notation_help],
    }


def summary(game: AnyEngine) -> str:
    heading = f"{game.slug}   {game.title}, {game.seats.start} to {game.seats.stop - 1} players"
    options = [f"  {name:<12}{values(schema)}" for name, schema in option_words.schemas(game.options).items()]
    return "\n".join([heading, *options, f"  turnpost rules {game.slug}"])


def values(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return option_words.allowed(schema) + (f" (if you do not say: {default})" if default is not None else "")


def print_json(data: Any) -> None:
    typer.echo(json_form.dumps(data, indent=2, ensure_ascii=False))
