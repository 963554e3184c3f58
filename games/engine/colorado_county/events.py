"""Events of Colorado County. Everything in them is public, except for which cowboys a player drew."""

from games.engine.colorado_county.scoring import Score
from games.engine.records import Event

Squares = tuple[str, ...]
Cowboys = tuple[int, ...]


class LakesLaid(Event, frozen=True):
    """The lakes were placed. The event lists the squares of each lake, from the least to the most valuable."""

    is_on_board = True
    reveals = "where the lakes are"

    lakes: tuple[Squares, ...]


class RoundStarted(Event, frozen=True):
    is_minor = True
    reveals = "the start of the next round"

    round: int


class FlagsDrawn(Event, frozen=True):
    """The flags were placed at random. The event lists their squares by color."""

    is_on_board = True
    reveals = "where the flags go"

    flags: dict[str, Squares]


class FlagsPlaced(Event, frozen=True):
    """A player placed flags face down."""

    is_minor = True
    reveals = "where a player's flags go"

    seat: int
    squares: Squares


class FlagsRevealed(Event, frozen=True):
    reveals = "the colors of the flags"

    flags: dict[str, Squares]


class CardsTurnedUp(Event, frozen=True):
    is_on_board = True
    reveals = "the next cards"

    cards: tuple[str, ...]
    left: int
    """The number of this round's cards that are still face down."""


class Committed(Event, frozen=True):
    """A seat sealed a bid, an answer or an offer."""

    is_minor = True
    is_on_board = True
    reveals = "who has decided"

    seat: int


class Withdrawn(Event, frozen=True):
    is_minor = True
    reveals = "who takes a move back"

    seat: int


class BidsRevealed(Event, frozen=True):
    is_news = True
    board_stage = "picks"
    reveals = "all bids"

    bids: tuple[Cowboys, ...]
    order: tuple[int, ...]
    """The seats that get to pick a card, in order."""


class CardPicked(Event, frozen=True):
    reveals = "who picks which card"

    seat: int
    number: int
    card: str
    squares: Squares
    """The squares on which cubes were placed."""


class LakeChangedHands(Event, frozen=True):
    is_on_board = True
    reveals = "who gets which lake"

    lake: int
    holder: int | None
    before: int | None


class CardsDiscarded(Event, frozen=True):
    """Cards that nobody took were discarded."""

    is_on_board = True
    reveals = "the discarded cards"

    cards: tuple[str, ...]


class CowboysDrawn(Event, frozen=True):
    is_minor = True
    has_details_for_seat = True
    reveals = "how many cowboys are drawn"

    seat: int
    count: int


class CowboysSeen(Event, frozen=True):
    """A player learned which cowboys they drew."""

    reveals = "the cowboys you draw"

    seat: int
    cowboys: Cowboys

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat})


class LandPutUp(Event, frozen=True):
    """A player put a square up for sale. Bids that were already sealed were returned unseen."""

    is_minor = True
    reveals = "the land for sale"

    seat: int
    square: str
    returned: tuple[int, ...]


class InterestRevealed(Event, frozen=True):
    is_minor = True
    reveals = "who wants the land"

    seats: tuple[int, ...]
    """The seats that want the land."""


class OffersRevealed(Event, frozen=True):
    is_news = True
    reveals = "all offers"

    seats: tuple[int, ...]
    offers: tuple[Cowboys, ...]


class LandSold(Event, frozen=True):
    reveals = "who buys the land"

    seller: int
    buyer: int
    square: str
    cowboys: Cowboys


class LandFreed(Event, frozen=True):
    """Nobody wanted the land, so it is free again."""

    is_minor = True
    reveals = "whether the land becomes free"

    seller: int
    square: str


class RoundScored(Event, frozen=True):
    is_news = True
    board_stage = "over"
    reveals = "the score of this round"

    round: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


class MatchWon(Event, frozen=True):
    board_stage = "over"
    reveals = "the winner"

    winners: tuple[int, ...]
    totals: tuple[int, ...]


AnyEvent = (
    LakesLaid
    | RoundStarted
    | FlagsDrawn
    | FlagsPlaced
    | FlagsRevealed
    | CardsTurnedUp
    | Committed
    | Withdrawn
    | BidsRevealed
    | CardPicked
    | LakeChangedHands
    | CardsDiscarded
    | CowboysDrawn
    | CowboysSeen
    | LandPutUp
    | InterestRevealed
    | OffersRevealed
    | LandSold
    | LandFreed
    | RoundScored
    | MatchWon
)
