"""Render a match's board: drawn, in plain text as in emails, or as speech."""

import json
from typing import Any

from cli.problems import UPDATE
from cli.render.style import Style
from games.engine.board_text import board_speech, board_text
from games.engine.errors import EngineError
from games.engine.names import Names
from games.engine.registry import AnyEngine, engine


def picture(
    game: str, view: dict[str, Any], names: Names, style: Style, plain: str | None = None, *, rules: int | None = None
) -> str:
    """Render a view. `plain` is the server's rendering, used if this client is too old for the game or the view."""
    try:
        game_engine = engine(game, rules)
        read = game_engine.views.load(json.dumps(view).encode())
    except EngineError:
        return plain or f"This client is too old to show this game. {UPDATE}"
    return shown(game_engine, read, names, style)


def shown(rules: AnyEngine, view: Any, names: Names, style: Style) -> str:
    board = rules.board(view, names)
    if style.speech:
        return board_speech(board)
    if not style.drawn:
        return board_text(board).rstrip("\n")
    from cli.render.canvas import drawn
    from cli.render.drawing import draw

    return drawn(draw(board, style), style)
