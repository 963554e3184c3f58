"""Show the games and their rules without a server. Both come from the engine that is installed with the client."""

from typing import Annotated, Any

import typer

from cli import terminal
from cli.command import Result, command
from cli.problems import Usage
from cli.render.style import Style
from cli.session import Session
from games.engine import text
from games.engine.errors import UnknownGame
from games.engine.registry import GAMES, AnyEngine, engine, engines

GameSlug = Annotated[
    str, typer.Argument(metavar="GAME", help="For example coloretto.", autocompletion=lambda: list(GAMES))
]


@command("turnpost games", "turnpost games --json")
def games(_session: Session) -> Result:
    """List the games."""
    found = engines()
    return Result(
        {"games": [game_data(game) for game in found]},
        lambda style: "\n\n".join(game_text(game, style) for game in found),
    )


@command("turnpost rules coloretto")
def rules(session: Session, game: GameSlug) -> Result | None:
    """Read a game's rules."""
    found = find_game(game)
    if session.interactive:
        terminal.show_in_pager(rules_text(found, session.style))
        return None
    data = {"slug": found.slug, "title": found.title, "markdown": found.rules_page()}
    return Result(data, lambda _style: found.rules_page().rstrip("\n"))


def rules_text(game: AnyEngine, style: Style) -> str:
    if not style.drawn:
        return game.rules_page()
    from rich.markdown import Markdown

    from cli.render.canvas import drawn

    return drawn(Markdown(game.rules_page()), style)


def find_game(slug: str) -> AnyEngine:
    try:
        return engine(slug.lower())
    except UnknownGame as error:
        raise Usage(error.code, error.message, error.hint) from None


def game_data(game: AnyEngine) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "seats": list(game.seats),
        "options": text.schemas(game.options),
        "notation": [{"example": example, "meaning": meaning} for example, meaning in game.notation_help],
    }


def game_text(game: AnyEngine, style: Style) -> str:
    players = f"{game.title}, {game.seats.start} to {game.seats.stop - 1} players"
    options = [f"  {name:<12}{option_values(schema)}" for name, schema in text.schemas(game.options).items()]
    return "\n".join([f"{style.paint(game.slug, 'bold')}   {players}", *options, f"  turnpost rules {game.slug}"])


def option_values(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return text.allowed(schema) + (f" (default: {default})" if default is not None else "")
