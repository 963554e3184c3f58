"""The events. All are public except which cowboys a player drew."""

from games.engine.colorado_county.scoring import Score
from games.engine.records import Event

Squares = tuple[str, ...]
Cowboys = tuple[int, ...]


class LakesLaid(Event, frozen=True):
    """The squares of each lake, from the least to the most valuable."""

    lakes: tuple[Squares, ...]


class RoundStarted(Event, frozen=True):
    round: int


class FlagsDrawn(Event, frozen=True):
    """Flags placed at random: their squares by color."""

    flags: dict[str, Squares]


class FlagsPlaced(Event, frozen=True):
    """One player's flags, face down."""

    seat: int
    squares: Squares


class FlagsRevealed(Event, frozen=True):
    flags: dict[str, Squares]


class CardsTurnedUp(Event, frozen=True):
    cards: tuple[str, ...]
    left: int
    """Cards of this round still face down."""


class Committed(Event, frozen=True):
    """A seat has sealed a bid, an answer or an offer."""

    seat: int


class Withdrawn(Event, frozen=True):
    seat: int


class BidsRevealed(Event, frozen=True):
    is_news = True

    bids: tuple[Cowboys, ...]
    order: tuple[int, ...]
    """The seats that pick a card, in this order."""


class CardPicked(Event, frozen=True):
    seat: int
    number: int
    card: str
    squares: Squares
    """Where cubes were placed."""


class LakeChangedHands(Event, frozen=True):
    lake: int
    holder: int | None
    before: int | None


class CardsDiscarded(Event, frozen=True):
    """Cards that nobody took."""

    cards: tuple[str, ...]


class CowboysDrawn(Event, frozen=True):
    seat: int
    count: int


class CowboysSeen(Event, frozen=True):
    """Which cowboys a seat drew."""

    seat: int
    cowboys: Cowboys

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat})


class LandPutUp(Event, frozen=True):
    """A square is for sale; sealed bids were returned unseen."""

    seat: int
    square: str
    returned: tuple[int, ...]


class InterestRevealed(Event, frozen=True):
    seats: tuple[int, ...]
    """The seats that want the land."""


class OffersRevealed(Event, frozen=True):
    is_news = True

    seats: tuple[int, ...]
    offers: tuple[Cowboys, ...]


class LandSold(Event, frozen=True):
    seller: int
    buyer: int
    square: str
    cowboys: Cowboys


class LandFreed(Event, frozen=True):
    """Nobody wanted the land."""

    seller: int
    square: str


class RoundScored(Event, frozen=True):
    is_news = True

    round: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


class MatchWon(Event, frozen=True):
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
