"""What can be chosen when a match is created, and the numbers that depend on it."""

from typing import Annotated, Literal

from msgspec import Meta

from games.engine.coloretto.cards import GOLDEN_JOKER, JOKER
from games.engine.records import Record

Edition = Literal["classic", "modern"]
Table = Literal["brown", "violet"]


class Options(Record, frozen=True):
    """`games` left out means the edition's own number: four in classic, one in modern."""

    edition: Edition = "modern"
    table: Table = "brown"
    games: Annotated[int, Meta(ge=1, le=8)] | None = None

    @property
    def deals(self) -> int:
        return self.games or DEALS[self.edition]


SEATS = {"classic": range(3, 6), "modern": range(2, 6)}
TABLES: dict[str, tuple[str, ...]] = {"classic": ("brown",), "modern": ("brown", "violet")}
DEALS = {"classic": 4, "modern": 1}
JOKERS = {"classic": 3 * JOKER, "modern": 2 * JOKER + GOLDEN_JOKER}
UNDER_LAST_ROUND = {"classic": 15, "modern": 16}

COLOURS_LEAVING = {2: 2, 3: 1, 4: 0, 5: 0}
STARTING_CARDS = {2: 2, 3: 1, 4: 1, 5: 1}
ROW_ROOM = {2: (1, 2, 3), 3: (3, 3, 3), 4: (3, 3, 3, 3), 5: (3, 3, 3, 3, 3)}
