"""Colorado County, by Reinhard Staupe: bid cowboys for cards, and use the cards to claim land."""

from msgspec.structs import replace

from games.engine.base import Engine, Outcome, Played
from games.engine.choices import Form
from games.engine.colorado_county import (
    board,
    legality,
    notation,
    orders,
    phrases,
    rules,
    scoring,
    setup,
    view,
    wording,
)
from games.engine.colorado_county.events import AnyEvent
from games.engine.colorado_county.state import SEALED_MOVES, AnyMove, Bid, Options, State, awaiting
from games.engine.colorado_county.strategy import CountyStrategy
from games.engine.colorado_county.view import View
from games.engine.dice import Dice
from games.engine.records import Codec, Event


class ColoradoCounty(Engine[State, AnyMove, View]):
    slug = "colorado-county"
    title = "Colorado County"
    about = "Bid cowboys for cards, and use the cards to claim land around lakes, flags and the border."
    seats = range(2, 5)
    options = Options
    period = "round"
    notation_help = notation.HELP
    verbs = ("bid", "withdraw", "pick", "sell", "interested", "not", "offer", "flags")
    sealed_moves = SEALED_MOVES
    sealed_move_bytes = 128
    """This is enough for any bid without a plan. A bid with a plan may need more."""
    sealed_round_bytes = 1024
    withdrawal = legality.WITHDRAW
    control_labels = notation.CONTROL_LABELS
    control_hints = notation.CONTROL_HINTS

    states: Codec[State] = Codec(State)
    moves: Codec[AnyMove] = Codec(AnyMove)
    events: Codec[Event] = Codec(AnyEvent)
    views: Codec[View] = Codec(View)
    strategy = CountyStrategy()
    orders = orders.LANGUAGE
    phrases = phrases.PHRASES

    refusal = staticmethod(legality.refusal)
    choices = staticmethod(legality.choices)
    play = staticmethod(rules.play)
    advance = staticmethod(rules.advance)
    playout = staticmethod(rules.playout)
    sample = staticmethod(legality.sample)
    view = staticmethod(view.view)
    on_timeout = staticmethod(rules.on_timeout)
    imagine = staticmethod(setup.imagine)
    parse = staticmethod(notation.parse)
    button = staticmethod(notation.button)
    notation = staticmethod(notation.notation)
    board = staticmethod(board.board)
    tell = staticmethod(wording.tell)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, self.seats)

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        return setup.new_match(seats, options, dice)

    def awaiting(self, state: State) -> frozenset[int]:
        return awaiting(state)

    def fill(self, form: Form, dice: Dice) -> AnyMove:
        return legality.filled(form, dice)

    def revealed(self, move: AnyMove) -> AnyMove:
        """Return the bid without its plan, which stays private. Others see only the picks that the plan makes."""
        return Bid(move.cowboys) if isinstance(move, Bid) else move

    def mailable(self, view: View) -> View:
        return replace(view, sealed=None, plan=())

    def points(self, view: View) -> tuple[int, ...]:
        """Return each seat's points. A round counts once it has been scored."""
        return tuple([player.total + (0 if view.over else player.score_now.total) for player in view.players])

    def task(self, view: View) -> str:
        return wording.TASKS.get(view.phase, "your turn").format(view.sale.square if view.sale else "")

    def stopped(self, view: View) -> View:
        return replace(view, awaiting=())

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state.scores, state.totals) if state.phase == "over" else None


ENGINE = ColoradoCounty()
