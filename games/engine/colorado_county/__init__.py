"""Colorado County, by Reinhard Staupe: bid cowboys for cards, and claim land, lakes and the border with them."""

from collections.abc import Mapping, Sequence

from games.engine.base import Engine, Outcome, Played
from games.engine.choices import Choices, Form
from games.engine.colorado_county import (
    census,
    choices,
    imagine,
    legality,
    notation,
    outcome,
    picture,
    report,
    rules,
    setup,
    view,
)
from games.engine.colorado_county.board import NAMES
from games.engine.colorado_county.events import AnyEvent
from games.engine.colorado_county.flags import random_squares
from games.engine.colorado_county.moves import SEALED, AnyMove, Bid, Offer, PlaceFlags
from games.engine.colorado_county.options import FLAGS_EACH, Options
from games.engine.colorado_county.state import State, awaiting
from games.engine.colorado_county.view import View
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.records import Codec, Event


class ColoradoCounty(Engine[State, AnyMove, View]):
    slug = "colorado-county"
    title = "Colorado County"
    seats = range(2, 5)
    options = Options
    period = "round"
    notation_help = notation.HELP

    states: Codec[State] = Codec(State)
    moves: Codec[AnyMove] = Codec(AnyMove)
    events: Codec[Event] = Codec(AnyEvent)
    views: Codec[View] = Codec(View)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, self.seats)

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        return setup.new_match(seats, options, dice)

    def awaiting(self, state: State) -> frozenset[int]:
        return awaiting(state)

    def refusal(self, state: State, seat: int, move: AnyMove) -> IllegalMove | None:
        return legality.refusal(state, seat, move)

    def choices(self, state: State, seat: int) -> Choices[AnyMove]:
        return choices.choices(state, seat)

    def sample(self, state: State, seat: int, dice: Dice) -> AnyMove:
        """Flags depend on one another, so their form cannot be filled square by square."""
        if state.phase != "flags":
            return super().sample(state, seat, dice)
        squares = random_squares(state.board, FLAGS_EACH[state.seats], dice)
        return PlaceFlags(tuple(NAMES[square] for square in squares))

    def fill(self, form: Form, dice: Dice) -> AnyMove:
        kind = Bid if form.move == "bid" else Offer
        return kind(**{field.name: tuple(field.sample(dice)) for field in form.fields})

    def play(self, state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
        return rules.play(state, seat, move, dice)

    def is_sealed(self, move: AnyMove) -> bool:
        return isinstance(move, SEALED)

    def view(self, state: State, seat: int | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return outcome.outcome(state)

    def on_timeout(self, state: State, seat: int) -> AnyMove:
        return rules.on_timeout(state, seat)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        return imagine.imagine(state, seat, dice)

    def census(self, state: State) -> Mapping[str, int]:
        return census.census(state)

    def parse(self, text: str) -> AnyMove:
        return notation.parse(text)

    def notation(self, move: AnyMove) -> str:
        return notation.notation(move)

    def picture(self, view: View, names: Sequence[str]) -> str:
        return picture.picture(view, names)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        return report.tell(event, names)


ENGINE = ColoradoCounty()
