"""The cards, options, moves, events and position of Coloretto."""

from typing import Annotated, Literal

from msgspec import Meta

from games.engine.records import Event, Move, Record
from games.engine.text import meanings

COLOURS = {
    "B": "blue",
    "G": "green",
    "O": "orange",
    "P": "pink",
    "R": "red",
    "V": "violet",
    "Y": "yellow",
}
PLUS_TWO = "+"
JOKER = "J"
GOLDEN_JOKER = "*"
LAST_ROUND = "!"

CARDS_PER_COLOUR = 9
PLUS_TWOS = 10

SHOWN = "".join(COLOURS) + PLUS_TWO + JOKER + GOLDEN_JOKER
NAMES = COLOURS | {PLUS_TWO: "+2", JOKER: "joker", GOLDEN_JOKER: "golden joker", LAST_ROUND: "last round"}


def jokers(cards: str) -> int:
    return cards.count(JOKER) + cards.count(GOLDEN_JOKER)


Edition = Literal["classic", "modern"]
Scoring = Literal["brown", "violet"]


EDITION_MEANS = meanings(
    "The edition of the rules.",
    {"classic": "3 to 5 players, three jokers", "modern": "2 to 5 players, two jokers and a golden one"},
)
SCORING_MEANS = meanings(
    "The side of the scoring cards. The violet side requires the modern edition.",
    {"brown": "large sets are worth the most", "violet": "sets of three are worth the most"},
)
GAMES_MEAN = Meta(description="Games per match. The default is four in the classic edition and one in the modern.")


class Options(Record, frozen=True):
    """The options of a match. `games` defaults to four in the classic edition and to one in the modern edition."""

    edition: Annotated[Edition, EDITION_MEANS] = "modern"
    scoring: Annotated[Scoring, SCORING_MEANS] = "brown"
    games: Annotated[Annotated[int, Meta(ge=1, le=8)] | None, GAMES_MEAN] = None

    @property
    def deals(self) -> int:
        return self.games or DEALS[self.edition]


SEATS = {"classic": range(3, 6), "modern": range(2, 6)}
SCORINGS: dict[str, tuple[str, ...]] = {"classic": ("brown",), "modern": ("brown", "violet")}
DEALS = {"classic": 4, "modern": 1}
JOKERS = {"classic": 3 * JOKER, "modern": 2 * JOKER + GOLDEN_JOKER}
UNDER_LAST_ROUND = {"classic": 15, "modern": 16}

COLOURS_LEAVING = {2: 2, 3: 1, 4: 0, 5: 0}
STARTING_CARDS = {2: 2, 3: 1, 4: 1, 5: 1}
ROW_ROOM = {2: (1, 2, 3), 3: (3, 3, 3), 4: (3, 3, 3, 3), 5: (3, 3, 3, 3, 3)}


Row = Annotated[int, Meta(ge=0, le=999)]


class ColorettoMove(Move, frozen=True, kw_only=True):
    schema: Literal[1] = 1


class Draw(ColorettoMove, frozen=True):
    """Reveal the top card of the supply, which must then be placed."""


class Place(ColorettoMove, frozen=True):
    row: Row


class Take(ColorettoMove, frozen=True):
    row: Row


AnyMove = Draw | Place | Take


class DealStarted(Event, frozen=True):
    reveals = "the cards of the next game"

    deal: int
    starter: int
    colours: str
    hands: tuple[str, ...]
    supply: int


class CardDrawn(Event, frozen=True):
    reveals = "the card you draw"

    seat: int
    card: str


class LastRoundSeen(Event, frozen=True):
    reveals = "the last-round card"

    seat: int


class CardPlaced(Event, frozen=True):
    reveals = "where the card goes"

    seat: int
    card: str
    row: int


class RowTaken(Event, frozen=True):
    reveals = "who takes which row"

    seat: int
    row: int
    cards: str


class GoldenCardGained(Event, frozen=True):
    """The golden joker gave a player an extra card from the top of the supply."""

    reveals = "the extra card from the golden joker"

    seat: int
    card: str


class RowRemoved(Event, frozen=True):
    reveals = "the cards that leave the game"

    row: int
    cards: str


class RoundEnded(Event, frozen=True):
    reveals = "who begins the next round"

    next_seat: int


class ColourScore(Record, frozen=True):
    """The points for one color, which can be negative. `cards` includes `jokers`."""

    colour: str
    cards: int
    jokers: int
    points: int


class Score(Record, frozen=True):
    colours: tuple[ColourScore, ...]
    plus_twos: int
    total: int


class DealScored(Event, frozen=True):
    is_news = True
    board_stage = "over"
    reveals = "the score of this game"

    deal: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


class MatchWon(Event, frozen=True):
    board_stage = "over"
    reveals = "the winner"

    winners: tuple[int, ...]
    totals: tuple[int, ...]


AnyEvent = (
    DealStarted
    | CardDrawn
    | LastRoundSeen
    | CardPlaced
    | RowTaken
    | GoldenCardGained
    | RowRemoved
    | RoundEnded
    | DealScored
    | MatchWon
)


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
    """The supply, starting with the top card. It includes the last-round card until that is revealed."""
    rows: tuple[str | None, ...]
    """The cards in each row. A row that has been taken in this round is None."""
    hands: tuple[str, ...]
    took: tuple[int | None, ...]
    """The row that each seat took in this round. A seat that is still in the round has None."""
    to_move: int
    drawn: str = ""
    last_round: bool = False
    removed: str = ""
    """The cards in rows that nobody took, which happens only with two players."""
    finished: tuple[FinishedDeal, ...] = ()
    over: bool = False
    schema: Literal[1] = 1
