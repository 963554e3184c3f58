"""Hush, a small game with sealed numbers, a secret card and a bell.

Tests use it for sealed rounds, withdrawn and voided moves, and private events, without the rules of a real game.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from games.engine import registry
from games.engine.base import Engine, Line, Outcome, Played, places
from games.engine.board import Board, Cell, Head, Row, Table, short_names
from games.engine.choices import Choices
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.records import Codec, Event, Move, Record, put
from games.engine.text import counted, listing

CARDS = tuple(range(1, 10))


class Options(Record, frozen=True):
    rounds: Annotated[int, Meta(ge=1, le=9)] = 3


class Name(Move, frozen=True):
    """Seal a number. The highest number that nobody else chose scores."""

    number: Annotated[int, Meta(ge=1, le=5)]
    thought: str = ""


class Withdraw(Move, frozen=True):
    pass


class Ring(Move, frozen=True):
    """Void all sealed numbers of this round. This is allowed once per match."""


AnyMove = Name | Withdraw | Ring


class Dealt(Event, frozen=True):
    reveals = "the number of cards"

    seats: int


class CardSeen(Event, frozen=True):
    reveals = "your next card"

    seat: int
    card: int

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat})


class Sealed(Event, frozen=True):
    reveals = "who has sealed a number"

    seat: int


class Withdrawn(Event, frozen=True):
    reveals = "who takes a number back"

    seat: int


class Rung(Event, frozen=True):
    reveals = "who rings the bell"

    seat: int


class Revealed(Event, frozen=True):
    is_news = True
    reveals = "all numbers and the lucky card"

    named: tuple[int, ...]
    lucky_card: int


AnyEvent = Dealt | CardSeen | Sealed | Withdrawn | Rung | Revealed


class State(Record, frozen=True):
    rounds: int
    cards: tuple[int, ...]
    named: tuple[Name | None, ...]
    rang: tuple[bool, ...]
    points: tuple[int, ...]
    round: int = 1
    schema: Literal[1] = 1


class View(Record, frozen=True):
    seat: int | None
    round: int
    sealed: tuple[int, ...]
    own_card: int | None
    own_name: Name | None
    points: tuple[int, ...]
    schema: Literal[1] = 1


class Hush(Engine[State, AnyMove, View]):
    slug = "hush"
    title = "Hush"
    seats = range(2, 5)
    options = Options
    period = "round"
    notation_help = (("name 3", "seal the number 3"), ("withdraw", "take it back"), ("ring", "void all sealed numbers"))
    verbs = ("name", "withdraw", "ring")
    sealed_moves = (Name,)
    sealed_move_bytes = 128
    sealed_round_bytes = 1024
    withdrawal = Withdraw()

    states: Codec[State] = Codec(State)
    moves: Codec[AnyMove] = Codec(AnyMove)
    events: Codec[Event] = Codec(AnyEvent)
    views: Codec[View] = Codec(View)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, self.seats)

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        cards = tuple(dice.draw(CARDS, seats)[0])
        state = State(options.rounds, cards, (None,) * seats, (False,) * seats, (0,) * seats)
        return Played(state, (Dealt(seats), *(CardSeen(seat, card) for seat, card in enumerate(cards))))

    def awaiting(self, state: State) -> frozenset[int]:
        over = state.round > state.rounds
        return frozenset() if over else frozenset(seat for seat, name in enumerate(state.named) if name is None)

    def refusal(self, state: State, seat: int, move: AnyMove) -> IllegalMove | None:
        if state.round > state.rounds:
            return IllegalMove("match_over", "The match is over.", "Look at the result.")
        if isinstance(move, Withdraw) and state.named[seat] is None:
            return IllegalMove("nothing_sealed", "You haven't sealed a number.", "Try 'name 3'.")
        if isinstance(move, Ring) and (state.rang[seat] or state.named[seat] is not None):
            return IllegalMove("no_bell", "You can ring once per match, before you seal.", "Try 'name 3'.")
        return None

    def choices(self, state: State, seat: int) -> Choices[AnyMove]:
        every: tuple[AnyMove, ...] = (*(Name(number) for number in range(1, 6)), Withdraw(), Ring())
        return Choices(tuple(move for move in every if self.refusal(state, seat, move) is None))

    def play(self, state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
        if refused := self.refusal(state, seat, move):
            raise refused
        if isinstance(move, Withdraw):
            return Played(replace(state, named=put(state.named, seat, None)), (Withdrawn(seat),), quiet=True)
        if isinstance(move, Ring):
            rung = replace(state, named=(None,) * len(state.named), rang=put(state.rang, seat, True))
            return Played(rung, (Rung(seat),))
        return self.seal(state, seat, move, dice)

    def seal(self, state: State, seat: int, move: Name, dice: Dice) -> Played[State]:
        first = () if state.named[seat] else (Sealed(seat),)
        sealed = replace(state, named=put(state.named, seat, move))
        if None in sealed.named:
            return Played(sealed, first, quiet=True)
        numbers = tuple(name.number for name in sealed.named if name)
        lucky = dice.choice(CARDS)
        points = tuple(
            points + number * (numbers.count(number) == 1) + (card == lucky)
            for points, number, card in zip(state.points, numbers, state.cards, strict=True)
        )
        settled = replace(sealed, named=(None,) * len(numbers), points=points, round=state.round + 1)
        return Played(settled, (*first, Revealed(numbers, lucky)))

    def view(self, state: State, seat: int | None) -> View:
        sealed = tuple(other for other, name in enumerate(state.named) if name)
        card, name = (None, None) if seat is None else (state.cards[seat], state.named[seat])
        return View(seat, state.round, sealed, card, name, state.points)

    def outcome(self, state: State) -> Outcome | None:
        if state.round <= state.rounds:
            return None
        lines = tuple((Line(1, "numbers", points),) for points in state.points)
        return Outcome(state.points, places(state.points), lines, "finished")

    def on_timeout(self, state: State, seat: int) -> AnyMove:
        return Name(1)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        known = {} if seat is None else {seat: state.cards[seat]}
        others = dice.shuffle([card for card in CARDS if card not in known.values()])
        cards = tuple(known.get(other) or others.pop() for other in range(len(state.cards)))
        named = tuple(
            name if name is None or other == seat else Name(1 + dice.below(5)) for other, name in enumerate(state.named)
        )
        return replace(state, cards=cards, named=named)

    def revealed(self, move: AnyMove) -> AnyMove:
        return replace(move, thought="") if isinstance(move, Name) else move

    def parse(self, text: str) -> AnyMove:
        verb, _, number = text.strip().lower().partition(" ")
        if verb == "name" and number.strip() in {"1", "2", "3", "4", "5"}:
            return Name(int(number))
        if text.strip().lower() in ("withdraw", "ring"):
            return Withdraw() if verb == "withdraw" else Ring()
        raise MalformedMove("unknown_move", "That isn't a Hush move.", self.notation_hint())

    def notation(self, move: AnyMove) -> str:
        return f"name {move.number}" if isinstance(move, Name) else type(move).__name__.lower()

    def board(self, view: View, names: Names) -> Board:
        rows = tuple(
            Row(name, (Cell(str(points)),), seat=seat, mark="decided" if seat in view.sealed else "")
            for seat, (name, points) in enumerate(zip(short_names(names).names, view.points, strict=True))
        )
        return Board("Hush", "", f"round {view.round}", (Table((Head("points"),), rows),))

    def tell(self, event: Event, names: Names) -> str:
        match event:
            case Dealt(seats=seats):
                return f"{counted(seats, 'card')} {names.verb('were', 'be')} dealt."
            case CardSeen(seat=seat, card=card):
                return f"{names.subject(seat)} {names.verb('got', 'get')} card {card}."
            case Sealed(seat=seat):
                return f"{names.subject(seat)} {names.verb('sealed', 'seal')} a number."
            case Withdrawn(seat=seat):
                return f"{names.subject(seat)} {names.verb('withdrew', 'withdraw')}."
            case Rung(seat=seat):
                return f"{names.subject(seat)} {names.verb('rang', 'ring')} the bell."
            case Revealed(named=named, lucky_card=card):
                numbers = listing([str(number) for number in named])
                return f"The numbers {names.verb('were', 'be')} revealed.\n  {numbers}; the lucky card was {card}."
        raise ValueError(event)


ENGINE = Hush()


@contextmanager
def registered() -> Iterator[Any]:
    registry.GAMES["hush"] = registry.Game(__name__, Hush.verbs)
    try:
        yield ENGINE
    finally:
        del registry.GAMES["hush"]
