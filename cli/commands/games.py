"""The games and their rules, from the engine that comes with the client: no server is asked."""

from typing import Annotated, Any

import typer

from cli.command import command
from cli.problems import Usage
from cli.render.style import Style
from cli.result import Result
from cli.session import Session
from games.engine import option_words
from games.engine.errors import UnknownGame
from games.engine.registry import GAMES, AnyEngine, engine, engines

Slug = Annotated[str, typer.Argument(metavar="GAME", help="Such as coloretto.", autocompletion=lambda: list(GAMES))]


@command("turnpost games", "turnpost games --json")
def games(_session: Session) -> Result:
    """List the games."""
    found = engines()
    return Result(
        {"games": [described(game) for game in found]},
        lambda style: "\n\n".join(summary(game, style) for game in found),
    )


@command("turnpost rules coloretto")
def rules(session: Session, game: Slug) -> Result | None:
    """Read the rules of a game."""
    found = known(game)
    if session.interactive:
        read_in_pager(page(found, session.style))
        return None
    data = {"slug": found.slug, "title": found.title, "markdown": found.rules_page()}
    return Result(data, lambda _style: found.rules_page().rstrip("\n"))


def read_in_pager(text: str) -> None:
    """With the player's own pager; less is told to show colours, and to leave at once what fits the screen."""
    import os
    import pydoc

    os.environ.setdefault("LESS", "-FRX")
    pydoc.pager(text)


def page(game: AnyEngine, style: Style) -> str:
    if not style.drawn:
        return game.rules_page()
    from rich.markdown import Markdown

    from cli.render.canvas import drawn

    return drawn(Markdown(game.rules_page()), style)


def known(slug: str) -> AnyEngine:
    try:
        return engine(slug.lower())
    except UnknownGame as error:
        raise Usage(error.code, error.message, error.hint) from None


def described(game: AnyEngine) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "seats": list(game.seats),
        "options": option_words.schemas(game.options),
        "notation": [{"example": example, "meaning": meaning} for example, meaning in game.notation_help],
    }


def summary(game: AnyEngine, style: Style) -> str:
    players = f"{game.title}, {game.seats.start} to {game.seats.stop - 1} players"
    options = [f"  {name:<12}{values(schema)}" for name, schema in option_words.schemas(game.options).items()]
    return "\n".join([f"{style.paint(game.slug, 'bold')}   {players}", *options, f"  turnpost rules {game.slug}"])


def values(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return option_words.allowed(schema) + (f" (if you do not say: {default})" if default is not None else "")
