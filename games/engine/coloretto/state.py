"""A position of a match, complete: with the order of the supply, which nobody may see."""

from typing import Literal

from games.engine.coloretto.options import Options
from games.engine.records import Record


class FinishedDeal(Record, frozen=True):
    colours: str
    hands: tuple[str, ...]


class State(Record, frozen=True):
    options: Options
    seats: int
    deal: int
    starter: int
    colours: str
    supply: str
    """Top card first, with the last-round card in its place until it is seen."""
    rows: tuple[str | None, ...]
    """The cards beside each row card; None once the row has been taken this round."""
    hands: tuple[str, ...]
    took: tuple[int | None, ...]
    """By seat: the row taken this round, or None while the seat is still in."""
    to_move: int
    drawn: str = ""
    last_round: bool = False
    removed: str = ""
    """Cards that left this deal with a third row (two players)."""
    finished: tuple[FinishedDeal, ...] = ()
    over: bool = False
    schema: Literal[1] = 1
