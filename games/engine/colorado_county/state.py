"""A position of a match, complete: with everything that some or all may not see."""

from typing import Literal

from games.engine.colorado_county.lakes import Lakes
from games.engine.colorado_county.moves import Pick, SealedMove
from games.engine.colorado_county.options import Options
from games.engine.colorado_county.scoring import Score
from games.engine.records import Record

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
