"""The positions of the replies in replies.toml."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from games.engine.colorado_county.state import Options, Sale
from games.engine.registry import engine
from inbound.reading.position import Position
from tests.games.engine.colorado_county import tables as county
from tests.games.engine.coloretto import tables as coloretto

FOLDER = Path(__file__).parent
REPLIES = tomllib.loads((FOLDER / "replies.toml").read_text("utf-8"))
FRAMES = tomllib.loads((FOLDER / "frames.toml").read_text("utf-8"))
MATCH_ID = "m7Q"
HAND = {county.ANN: (12, 17, 25, 45, 60)}
ROWS = ("GB", "RJ", "")


def position(game: str, state: object) -> Position:
    return Position(engine(game), state, 0, match_id=MATCH_ID, own_name="Ann", others=("Ben", "Cleo"))


def auction(**changes: object) -> object:
    land = {county.ANN: "D7", county.BEN: "F9"}
    return replace(county.table(land=land, flags={"R": "A1 O1", "G": "O5 A9"}, hands=HAND), **changes)


SALE = Sale(county.BEN, county.squares("F9")[0])
POSITIONS = {
    "rows": position("coloretto", coloretto.table(rows=ROWS)),
    "drawn": position("coloretto", coloretto.table(rows=("G", "RJ", ""), drawn="P")),
    "bids": position("colorado-county", auction()),
    "interest": position("colorado-county", auction(phase="interest", asked=(0, 2), sale=SALE)),
    "offers": position("colorado-county", auction(phase="offers", asked=(0,), sale=SALE)),
    "picks": position("colorado-county", auction(phase="picks", asked=(0,), order=(0,))),
    "flags": position(
        "colorado-county", replace(county.table(options=Options(flags="players")), phase="flags", asked=(0, 1, 2))
    ),
}


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    meaning: str
    """The move that the reply states, or an empty string if we have to ask the player."""

    @property
    def position(self) -> Position:
        return POSITIONS[self.name]


def cases() -> Iterator[Case]:
    for name, kinds in REPLIES.items():
        for kind, meanings in kinds.items():
            for meaning, texts in meanings.items():
                yield from (Case(name, text, meaning if kind == "played" else "") for text in texts)
