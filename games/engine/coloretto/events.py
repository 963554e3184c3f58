"""What can happen. Everything in Coloretto happens face up, so everybody may see every event."""

from games.engine.coloretto.scoring import Score
from games.engine.records import Event


class DealStarted(Event, frozen=True):
    deal: int
    starter: int
    colours: str
    hands: tuple[str, ...]
    supply: int


class CardDrawn(Event, frozen=True):
    seat: int
    card: str


class LastRoundSeen(Event, frozen=True):
    seat: int


class CardPlaced(Event, frozen=True):
    seat: int
    card: str
    row: int


class RowTaken(Event, frozen=True):
    seat: int
    row: int
    cards: str


class GoldenCardGained(Event, frozen=True):
    """The golden joker's gift: the top card of the supply."""

    seat: int
    card: str


class RowRemoved(Event, frozen=True):
    row: int
    cards: str


class RoundEnded(Event, frozen=True):
    next_seat: int


class DealScored(Event, frozen=True):
    is_news = True

    deal: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


class MatchWon(Event, frozen=True):
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
