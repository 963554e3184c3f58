"""What a player can do. Squares are written as players write them, and cards are counted from 1."""

from typing import Annotated, Literal

from msgspec import Meta

from games.engine.colorado_county.options import COWBOYS, MOST_WISHES
from games.engine.records import Move

Cowboys = Annotated[tuple[int, ...], Meta(max_length=COWBOYS)]


class CountyMove(Move, frozen=True, kw_only=True):
    schema: Literal[1] = 1


class PlaceFlags(CountyMove, frozen=True):
    """All one's flags at once, face down."""

    squares: Annotated[tuple[str, ...], Meta(max_length=12)]


class Pick(CountyMove, frozen=True):
    """Take a card that is turned up and put cubes on none, one or both of its squares."""

    card: int
    squares: Annotated[tuple[str, ...], Meta(max_length=12)] = ()


class Bid(CountyMove, frozen=True):
    """Cowboys for the cards turned up, and picks to be made at once if one of them is still possible."""

    cowboys: Cowboys = ()
    plan: Annotated[tuple[Pick, ...], Meta(max_length=MOST_WISHES)] = ()


class Withdraw(CountyMove, frozen=True):
    """Take back what one has committed."""


class Sell(CountyMove, frozen=True):
    square: str


class Answer(CountyMove, frozen=True):
    """Whether one wants the land that is for sale."""

    interested: bool


class Offer(CountyMove, frozen=True):
    """Cowboys for the land that is for sale."""

    cowboys: Cowboys


AnyMove = PlaceFlags | Bid | Withdraw | Pick | Sell | Answer | Offer
SealedMove = Bid | Answer | Offer
