"""The values of Colorado County: cards, options, moves, and the position they make."""

from typing import Annotated, Literal

from msgspec import Meta

from games.engine.colorado_county.geometry import FLAGS, SIZE, steps
from games.engine.colorado_county.lakes import Lakes
from games.engine.colorado_county.scoring import Score
from games.engine.records import Move, Record
from games.engine.text import meanings

# A reconstruction. The seed gives 48 cards, 12 for each flag colour, with one or (mostly) two stars; reviews of
# the 1999 game show patterns, not how many there are of each: a better source needs to change only this table.
PATTERNS = {
    "00": 2,
    "10": 2,
    "20": 2,
    "30": 2,
    "11": 2,
    "21": 1,
    "12": 1,
}
SINGLE = "00"
PATTERN_NAMES = {
    "00": "one star",
    "10": "two stars side by side",
    "20": "two stars, one square between",
    "30": "two stars, two squares between",
    "11": "two stars, corner to corner",
    "21": "two stars, 2 right and 1 down",
    "12": "two stars, 1 right and 2 down",
}

CARDS_OF = {
    colour: tuple(colour + pattern for pattern, count in PATTERNS.items() for _ in range(count)) for colour in FLAGS
}


def colour(card: str) -> str:
    return card[0]


def pattern(card: str) -> str:
    return card[1:]


def stars(card: str) -> int:
    return 1 if pattern(card) == SINGLE else 2


def name(card: str) -> str:
    return f"{FLAGS[colour(card)]}, {PATTERN_NAMES[pattern(card)]}"


def second_stars(pattern: str) -> tuple[tuple[int, ...], ...]:
    """By the square of the flag: the squares of the other star after turning the card by quarters, never mirrored.
    Letting the other star be the flag's is the same as half a turn."""
    if pattern == SINGLE:
        return ((),) * SIZE
    right, down = int(pattern[0]), int(pattern[1])
    ways = ((right, down), (-down, right), (-right, -down), (down, -right))
    return tuple(steps(square, ways) for square in range(SIZE))


REACH = {pattern: second_stars(pattern) for pattern in PATTERNS}


ROUNDS = 4
COWBOYS = 66
STARTING_COWBOYS = 15
CUBES = 40
FLAGS_PER_COLOUR = 3
CARDS_PER_COLOUR = 3
"""Cards of each colour that a round's deck takes."""
DRAWN_BY_SELLER = 2
SALES_PER_ROUND = 2
TOKENS_IN_THE_BOX = 16
LONGEST_PLAN = 12

CARDS_TURNED_UP = {2: 2, 3: 2, 4: 3}
TOKENS = {2: 5, 3: 5, 4: 4}
FLAGS_EACH = {2: 6, 3: 4, 4: 3}


FLAGS_MEAN = meanings({"lot": "placed at random", "players": "placed by the players"})
CONSOLATION_MEANS = meanings({"two": "cowboys for the lowest bid", "one": "cowboy for the lowest bid"})


class Options(Record, frozen=True):
    """`consolation` is for the lowest bid when everybody bid something. The printed rules say two cowboys, reviews of
    the game say one."""

    flags: Annotated[Literal["lot", "players"], FLAGS_MEAN] = "lot"
    consolation: Annotated[Literal["two", "one"], CONSOLATION_MEANS] = "two"


CONSOLATION = {"two": 2, "one": 1}
CONSOLATION_FOR_NONE = 2


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
    plan: Annotated[tuple[Pick, ...], Meta(max_length=LONGEST_PLAN)] = ()


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


Phase = Literal["flags", "bids", "picks", "interest", "offers", "over"]


class Sale(Record, frozen=True):
    seller: int
    square: int


class State(Record, frozen=True):
    options: Options
    seats: int
    round: int
    phase: Phase
    asked: tuple[int, ...]
    """The seats that this phase asks; those who have committed are asked no more, but may still change their mind."""
    sealed: tuple[SealedMove | None, ...]
    """By seat: what has been committed in this phase."""
    board: str
    lakes: Lakes
    holders: tuple[int | None, ...]
    """Who holds each lake."""
    hands: tuple[tuple[int, ...], ...]
    """The cowboys of each seat, the lowest first; those committed are still among them."""
    bag: tuple[int, ...]
    cubes: tuple[int, ...]
    """The reserve of each seat."""
    tokens: tuple[int, ...]
    """For Sale tokens of each seat."""
    tokens_in_box: int
    sales: tuple[int, ...]
    """How often each seat has sold in this round."""
    flags_aside: int
    """Flags that are not on the board: still to be placed, or replaced by cubes in this round."""
    stock: tuple[tuple[str, ...], ...]
    """By flag colour: the cards of the rounds to come."""
    deck: tuple[str, ...]
    """The cards of this round that are still face down, the next one first."""
    turned_up: tuple[str, ...]
    """The cards of this auction; they keep their places while they are taken."""
    takers: tuple[int | None, ...]
    """By card turned up: who has taken it."""
    discards: tuple[str, ...]
    revealed: tuple[tuple[int, ...], ...] = ()
    """By seat: the bids revealed last."""
    order: tuple[int, ...] = ()
    """The seats that still pick a card in this auction, the next one first."""
    plans: tuple[tuple[Pick, ...], ...] = ()
    """By seat: the wishes of those who still pick."""
    sale: Sale | None = None
    scores: tuple[tuple[Score, ...], ...] = ()
    """By finished round and seat."""
    schema: Literal[1] = 1

    @property
    def nobody(self) -> tuple[None, ...]:
        return (None,) * self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat over all finished rounds."""
        return tuple([sum([scores[seat].total for scores in self.scores]) for seat in range(self.seats)])


def awaiting(state: State) -> frozenset[int]:
    return frozenset([seat for seat in state.asked if state.sealed[seat] is None])


def all_committed(state: State) -> bool:
    """Whether everybody who is asked has committed; nobody else can."""
    return state.sealed.count(None) == state.seats - len(state.asked)
