"""Moves as players write them: draw, place 2, take 3."""

import re

from games.engine.coloretto.moves import AnyMove, Draw, Place, Take
from games.engine.errors import MalformedMove

HELP = (
    ("draw", "reveal the top card of the supply"),
    ("place 2", "put the drawn card on row 2"),
    ("take 3", "take row 3 and sit out the rest of the round"),
)
DRAW = {"draw", "draw card", "draw a card"}
ON_A_ROW = re.compile(r"(?P<verb>place|put|take)(?: it)?(?: on)?(?: the)?(?: row)? ?#? ?(?P<row>[0-9]{1,3})?")


def parse(text: str) -> AnyMove:
    written = " ".join(text.lower().split()).rstrip(" .!")
    if written in DRAW:
        return Draw()
    found = ON_A_ROW.fullmatch(written)
    if not found:
        raise malformed("unknown_move", "This is no move of Coloretto.", "Write 'draw', 'place 2' or 'take 3'.", text)
    verb = "take" if found["verb"] == "take" else "place"
    if not found["row"]:
        raise malformed("row_missing", "Which row do you mean?", f"Write '{verb} 2' for row 2.", text)
    return (Take if verb == "take" else Place)(int(found["row"]))


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
