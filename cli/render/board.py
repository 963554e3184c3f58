"""The picture of a match, whatever the game: drawn, in plain text as in the mails, or spoken."""

import json
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from cli.render.style import Style
from games.engine.errors import EngineError
from games.engine.registry import AnyEngine, engine

DRAWN = {"coloretto": "cli.render.coloretto", "colorado-county": "cli.render.colorado_county"}


def picture(game: str, view: dict[str, Any], names: Sequence[str], style: Style, plain: str | None = None) -> str:
    """`plain` is the server's own picture: what to show of a game or a view that this client is too old for."""
    try:
        rules = engine(game)
        read = rules.views.load(json.dumps(view).encode())
    except EngineError:
        return plain or "This client is too old to show this game. Update it: pip install --upgrade turnpost"
    return shown(rules, read, names, style)


def shown(rules: AnyEngine, view: Any, names: Sequence[str], style: Style) -> str:
    module = DRAWN.get(rules.slug)
    if module is None or not (style.drawn or style.speech):
        return rules.picture(view, names).rstrip("\n")
    artist = import_module(module)
    if style.speech:
        return str(artist.speak(view, names))
    from cli.render.canvas import drawn

    return drawn(artist.draw(view, names, style), style)
