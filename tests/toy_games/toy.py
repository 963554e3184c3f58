"""A toy game that passes the contract, and the basis of variants that each break it in one place.

Everybody has a secret card and seals a bid of one, two or three. The last bid reveals everything. A player's score is
the card plus the bid.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from games.engine.base import Engine, Line, Outcome, Played, places
from games.engine.board import Board, Note, short_names
from games.engine.choices import Choices
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.records import Codec, Event, Move, Record, put

BIDS = (1, 2, 3)


class Options(Record, frozen=True):
    pass


class State(Record, frozen=True):
    cards: tuple[int, ...]
    bids: tuple[int | None, ...]
    deck: tuple[int, ...]
    schema: Literal[1] = 1

    @property
    def over(self) -> bool:
        return None not in self.bids


class Bid(Move, frozen=True):
    number: int
    schema: Literal[1] = 1


class Committed(Event, frozen=True):
    reveals = "who has bid"

    seat: int
    remark: str = ""


class Revealed(Event, frozen=True):
    reveals = "all bids"

    cards: tuple[int, ...]
    bids: tuple[int | None, ...]


class View(Record, frozen=True):
    own_card: int | None
    own_bid: int | None
    committed: tuple[bool, ...]
    revealed: State | None
    schema: Literal[1] = 1


class Toy(Engine[State, Bid, View]):
    slug = "toy"
    title = "Toy"
    seats = range(3, 4)
    options = Options
    period = "round"
    notation_help = (("bid 2", "bid two"),)
    verbs = ("bid",)
    sealed_moves = (Bid,)
    sealed_move_bytes = 64
    sealed_round_bytes = 64
    states: Codec[State] = Codec(State)
    moves: Codec[Bid] = Codec(Bid)
    events: Codec[Event] = Codec(Committed | Revealed)
    views: Codec[View] = Codec(View)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, self.seats)

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        cards, deck = dice.draw(range(10), seats)
        return Played(State(tuple(cards), (None,) * seats, tuple(deck)), ())

    def awaiting(self, state: State) -> frozenset[int]:
        return frozenset(seat for seat, bid in enumerate(state.bids) if bid is None)

    def choices(self, state: State, seat: int) -> Choices[Bid]:
        return Choices() if state.over else Choices(tuple(Bid(number) for number in BIDS))

    def refusal(self, state: State, seat: int, move: Bid) -> IllegalMove | None:
        if state.over:
            return IllegalMove("match_over", "The match is over.", "Look at the result.")
        if move.number not in BIDS:
            return IllegalMove("bad_bid", "That isn't a bid.", "Bid 1, 2 or 3.")
        return None

    def play(self, state: State, seat: int, move: Bid, dice: Dice) -> Played[State]:
        if refused := self.refusal(state, seat, move):
            raise refused
        played = replace(state, bids=put(state.bids, seat, move.number))
        if played.over:
            return Played(played, (Revealed(played.cards, played.bids),))
        return Played(played, (Committed(seat),) if state.bids[seat] is None else (), quiet=True)

    def view(self, state: State, seat: int | None) -> View:
        card, bid = (None, None) if seat is None else (state.cards[seat], state.bids[seat])
        committed = tuple(bid is not None for bid in state.bids)
        return View(card, bid, committed, state if state.over else None)

    def mailable(self, view: View) -> View:
        return replace(view, own_bid=None)

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        points = tuple(card + (bid or 0) for card, bid in zip(state.cards, state.bids, strict=True))
        return Outcome(points, places(points), tuple((Line(1, "all", each),) for each in points), "finished")

    def on_timeout(self, state: State, seat: int) -> Bid:
        return Bid(1)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        if state.over:
            return state
        others = [other for other in range(len(state.cards)) if other != seat]
        unknown = dice.shuffle(sorted([*state.deck, *(state.cards[other] for other in others)]))
        cards, bids = list(state.cards), list(state.bids)
        for other in others:
            cards[other] = unknown.pop()
            bids[other] = None if bids[other] is None else dice.choice(BIDS)
        return State(tuple(cards), tuple(bids), tuple(unknown))

    def parse(self, text: str) -> Bid:
        words = text.lower().split()
        if len(words) != 2 or words[0] != "bid" or not words[1].isdecimal():
            raise MalformedMove("unknown_move", "That isn't a Toy move.", "Try 'bid 2'.")
        return Bid(int(words[1]))

    def notation(self, move: Bid) -> str:
        return f"bid {move.number}"

    def board(self, view: View, names: Names) -> Board:
        return Board("Toy", "", "", (Note(short_names(names).names),))

    def tell(self, event: Event, names: Names) -> str:
        return f"Something {names.verb('happened', 'happen')}."

    def rules_page(self) -> str:
        """Return a fixed text instead of reading a file, because the cheating variants are classes in other modules."""
        return "# Toy\n\nBid (house): `bid 2`.\n"


def component_counts(state: State) -> Mapping[str, int]:
    return Counter(map(str, [*state.cards, *state.deck]))
