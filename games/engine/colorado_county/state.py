"""The cards, options, moves and position of Colorado County."""

from typing import Annotated, Literal, get_args

from msgspec import Meta
from msgspec.structs import force_setattr

from games.engine.colorado_county.geometry import FLAGS, SIZE, SQUARES, steps
from games.engine.colorado_county.lakes import Lakes
from games.engine.colorado_county.scoring import Score
from games.engine.records import Move, Record
from games.engine.text import meanings

# A reconstruction. The printed rules give 48 cards, 12 for each flag color, with one or (mostly) two stars.
# Reviews of the 1999 game show the patterns but not how many cards have each. With a better source, only this table
# has to change.
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
    """Return the possible squares for the second star, for each flag's square.

    The card can be rotated but not mirrored. Putting the second star on the flag instead has the same effect as
    rotating the card by half a turn.
    """
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
"""How many cards of each color are in the deck of a round."""
DRAWN_BY_SELLER = 2
SALES_PER_ROUND = 2
TOKENS_IN_THE_BOX = 16
LONGEST_PLAN = 12

CARDS_TURNED_UP = {2: 2, 3: 2, 4: 3}
TOKENS = {2: 5, 3: 5, 4: 4}
FLAGS_EACH = {2: 6, 3: 4, 4: 3}


FLAGS_MEAN = meanings(
    "How the flags are placed at the start of a round.",
    {"lot": "placed at random", "players": "placed by the players"},
)
CONSOLATION_MEANS = meanings(
    "What the lowest bidder draws if everybody bid something. The printed rules say two cowboys; reviews say one.",
    {"two": "cowboys for the lowest bid", "one": "cowboy for the lowest bid"},
)


class Options(Record, frozen=True):
    """The options of a match.

    `consolation` is the number of cowboys that the lowest bidder draws if everybody bid something. The printed rules
    say two, but reviews of the game say one.
    """

    flags: Annotated[Literal["lot", "players"], FLAGS_MEAN] = "lot"
    consolation: Annotated[Literal["two", "one"], CONSOLATION_MEANS] = "two"


CONSOLATION = {"two": 2, "one": 1}
CONSOLATION_FOR_NONE = 2


Cowboys = Annotated[tuple[int, ...], Meta(max_length=COWBOYS)]
Squares = Annotated[tuple[str, ...], Meta(max_length=12)]


def place_on_board(square: str) -> tuple[int, str]:
    """Return a key that sorts squares from A1 to O10. Names that aren't squares come last."""
    return SQUARES.get(square, SIZE), square


class CountyMove(Move, frozen=True, kw_only=True):
    """A move.

    Its squares and cowboys are sorted, so that a decision has only one form, no matter what order the player listed
    them in.
    """

    schema: Literal[1] = 1


class PlaceFlags(CountyMove, frozen=True):
    """Place all of a player's flags at once, face down."""

    squares: Squares

    def __post_init__(self) -> None:
        force_setattr(self, "squares", tuple(sorted(self.squares, key=place_on_board)))


class Pick(CountyMove, frozen=True):
    """Take a card, and place cubes on none, one or both of its squares."""

    card: int
    squares: Squares = ()

    def __post_init__(self) -> None:
        if len(self.squares) > 1:
            force_setattr(self, "squares", tuple(sorted(self.squares, key=place_on_board)))


class Bid(CountyMove, frozen=True):
    """Bid cowboys for the cards on offer.

    If there is a plan, its first pick that is still possible is made automatically.
    """

    cowboys: Cowboys = ()
    plan: Annotated[tuple[Pick, ...], Meta(max_length=LONGEST_PLAN)] = ()

    def __post_init__(self) -> None:
        if len(self.cowboys) > 1:
            force_setattr(self, "cowboys", tuple(sorted(self.cowboys)))


class Withdraw(CountyMove, frozen=True):
    """Take back a sealed move."""


class Sell(CountyMove, frozen=True):
    square: str


class Answer(CountyMove, frozen=True):
    """Say whether you want the land for sale."""

    interested: bool


class Offer(CountyMove, frozen=True):
    """Offer cowboys for the land for sale."""

    cowboys: Cowboys

    def __post_init__(self) -> None:
        if len(self.cowboys) > 1:
            force_setattr(self, "cowboys", tuple(sorted(self.cowboys)))


AnyMove = PlaceFlags | Bid | Withdraw | Pick | Sell | Answer | Offer
SealedMove = Bid | Answer | Offer
SEALED_MOVES = get_args(SealedMove)
"""For use in `type(move) in SEALED_MOVES`, which is much faster than `isinstance` for records."""


Phase = Literal["flags", "bids", "picks", "interest", "offers", "over"]


class Sale(Record, frozen=True):
    seller: int
    square: int


NOBODY = tuple((None,) * seats for seats in range(5))


class State(Record, frozen=True):
    options: Options
    seats: int
    round: int
    phase: Phase
    asked: tuple[int, ...]
    """The seats that take part in this phase, including those that have decided but can still change their minds."""
    sealed: tuple[SealedMove | None, ...]
    """The sealed move of each seat in this phase."""
    board: str
    lakes: Lakes
    holders: tuple[int | None, ...]
    """The seat that holds each lake."""
    hands: tuple[tuple[int, ...], ...]
    """The cowboys of each seat in ascending order, including those in a sealed bid."""
    bag: tuple[int, ...]
    cubes: tuple[int, ...]
    """The number of cubes in each seat's reserve."""
    tokens: tuple[int, ...]
    """The number of For Sale tokens of each seat."""
    tokens_in_box: int
    sales: tuple[int, ...]
    """The number of sales by each seat in this round."""
    flags_aside: int
    """The flags that are not on the board, because they have not been placed yet or were replaced by cubes in this
    round."""
    stock: tuple[tuple[str, ...], ...]
    """The cards for later rounds, by flag color."""
    deck: tuple[str, ...]
    """The face-down cards of this round, starting with the next one."""
    turned_up: tuple[str, ...]
    """The cards in this auction. Cards that were taken keep their place."""
    takers: tuple[int | None, ...]
    """The seat that took each card in this auction."""
    discards: tuple[str, ...]
    revealed: tuple[tuple[int, ...], ...] = ()
    """The last revealed bid of each seat."""
    order: tuple[int, ...] = ()
    """The seats that still have to pick in this auction, starting with the next one."""
    plans: tuple[tuple[Pick, ...], ...] = ()
    """The plans of the seats that still have to pick."""
    sale: Sale | None = None
    scores: tuple[tuple[Score, ...], ...] = ()
    """The scores of each finished round, by seat."""
    schema: Literal[1] = 1

    @property
    def nobody(self) -> tuple[None, ...]:
        return NOBODY[self.seats]

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple([sum([scores[seat].total for scores in self.scores]) for seat in range(self.seats)])


def awaiting(state: State) -> frozenset[int]:
    return frozenset([seat for seat in state.asked if state.sealed[seat] is None])


def all_committed(state: State) -> bool:
    """Return whether every seat in this phase has decided."""
    return state.sealed.count(None) == state.seats - len(state.asked)
