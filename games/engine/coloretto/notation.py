"""Moves as players write them: draw, place 2, take 3."""

import re

from games.engine.coloretto.moves import AnyMove, Draw, Place, Take
from games.engine.errors import MalformedMove

HELP = (
    ("draw", "reveal the top card of the supply"),
    ("place 2", "put the drawn card on row 2"),
    ("take 3", "take row 3 and sit out the rest of the round"),
)
WRITTEN = re.compile(r"(?P<verb>[a-z]+)(?:\s+on)?(?:\s+the)?(?:\s*row)?\s*#?\s*(?P<row>[0-9]{1,3})?\s*[.!]?", re.ASCII)
ROW_VERBS: dict[str, type[Place] | type[Take]] = {"place": Place, "put": Place, "take": Take}


def parse(text: str) -> AnyMove:
    match = WRITTEN.fullmatch(text.strip().lower())
    verb, row = (match["verb"], match["row"]) if match else ("", None)
    if verb == "draw" and row is None:
        return Draw()
    if verb in ROW_VERBS and row is not None:
        return ROW_VERBS[verb](int(row))
    if verb in ROW_VERBS:
        raise malformed("row_missing", f"Which row do you want to {verb}?", f"Write '{verb} 2' for row 2.", text)
    raise malformed("unknown_move", "This is no move of Coloretto.", "Write 'draw', 'place 2' or 'take 3'.", text)


def malformed(code: str, message: str, hint: str, text: str) -> MalformedMove:
    return MalformedMove(code, message, hint, text=text[:80], allowed=[example for example, _ in HELP])


def notation(move: AnyMove) -> str:
    match move:
        case Draw():
            return "draw"
        case Place(row=row):
            return f"place {row}"
        case Take(row=row):
            return f"take {row}"
