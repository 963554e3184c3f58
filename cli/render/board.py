"""Render a match's board: drawn, as plain text (as in emails), or as sentences for a screen reader."""

import json
from typing import Any

from cli.problems import UPDATE
from cli.render.style import Style
from games.engine.board_text import board_speech, board_text
from games.engine.errors import EngineError
from games.engine.names import Names
from games.engine.registry import AnyEngine, engine


def picture(
    game: str,
    view: dict[str, Any],
    names: Names,
    style: Style,
    plain: str | None = None,
    *,
    rules: int | None = None,
    label: str = "",
    is_compact: bool = False,
) -> str:
    """Render a view.

    Drawn boards can be compact and have a label. `plain` is the server's rendering, which is used if this client is too
    old for the game or the view.
    """
    try:
        game_engine = engine(game, rules)
        read = game_engine.views.load(json.dumps(view).encode())
    except EngineError:
        return plain or f"This client is too old to show this game. {UPDATE}"
    return shown(game_engine, read, names, style, label, is_compact=is_compact)


def shown(rules: AnyEngine, view: Any, names: Names, style: Style, label: str = "", *, is_compact: bool = False) -> str:
    board = rules.board(view, names)
    if style.speech:
        return board_speech(board)
    if not style.drawn:
        return board_text(board).rstrip("\n")
    from cli.render.canvas import drawn
    from cli.render.drawing import draw, draw_compact

    return drawn((draw_compact if is_compact else draw)(board, style, label), style)
