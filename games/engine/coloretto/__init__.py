"""Coloretto, by Michael Schacht: collect cards in three colors, and as few as possible in the others."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from games.engine.base import Engine, Outcome, Played
from games.engine.coloretto import board, legality, orders, phrases, rules, scoring, view, wording
from games.engine.coloretto.state import LAST_ROUND, SCORINGS, SEATS, AnyEvent, AnyMove, Options, State
from games.engine.coloretto.strategy import ColorettoStrategy
from games.engine.coloretto.view import View
from games.engine.dice import Dice
from games.engine.errors import BadSetup
from games.engine.records import Codec, Event

NOBODY: frozenset[int] = frozenset()
ALONE = tuple(frozenset({seat}) for seat in range(5))


class Coloretto(Engine[State, AnyMove, View]):
    slug = "coloretto"
    title = "Coloretto"
    about = "Draw cards or take a row. Three of your colors score points, and the others cost you points."
    seats = range(2, 6)
    options = Options
    period = "game"
    notation_help = wording.HELP
    verbs = ("draw", "place", "put", "take")
    control_hints: ClassVar[Mapping[str, str]] = {
        "place": "Tap a row for your card.",
        "take": "Tap a row to take it, or draw.",
    }

    states: Codec[State] = Codec(State)
    moves: Codec[AnyMove] = Codec(AnyMove)
    events: Codec[Event] = Codec(AnyEvent)
    views: Codec[View] = Codec(View)
    strategy = ColorettoStrategy()
    orders = orders.LANGUAGE
    phrases = phrases.PHRASES

    refusal = staticmethod(legality.refusal)
    choices = staticmethod(legality.choices)
    play = staticmethod(rules.play)
    advance = staticmethod(rules.advance)
    sample = staticmethod(legality.sample)
    view = staticmethod(view.view)
    on_timeout = staticmethod(rules.on_timeout)
    parse = staticmethod(wording.parse)
    notation = staticmethod(wording.notation)
    button = staticmethod(wording.button)
    board = staticmethod(board.board)
    tell = staticmethod(wording.tell)

    def check_setup(self, seats: int, options: Options) -> None:
        self.check_seat_count(seats, SEATS[options.edition])
        if options.scoring not in SCORINGS[options.edition]:
            raise BadSetup(
                "scoring_not_in_edition",
                f"The {options.edition} edition has no {options.scoring} scoring table.",
                "Choose the modern edition or brown scoring.",
                allowed=list(SCORINGS[options.edition]),
            )

    def new_match(self, seats: int, options: Options, dice: Dice) -> Played[State]:
        self.check_setup(seats, options)
        state = rules.deal(seats, options, dice.below(seats), (), dice)
        return Played(state, (rules.deal_started(state),))

    def awaiting(self, state: State) -> frozenset[int]:
        return NOBODY if state.over else ALONE[state.to_move]

    def playout(self, state: State, dice: Dice) -> State:
        sample, advance = legality.sample, rules.advance
        while not state.over:
            seat = state.to_move
            state = advance(state, seat, sample(state, seat, dice), dice)
        return state

    def points(self, view: View) -> tuple[int, ...]:
        """Return each seat's points. A game counts once it has been scored."""
        return tuple([player.total + (0 if view.over else player.score_now.total) for player in view.players])

    def task(self, view: View) -> str:
        return f"you drew {wording.short(view.drawn)}, choose a row" if view.drawn else "your turn"

    def stopped(self, view: View) -> View:
        return replace(view, awaiting=())

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state) if state.over else None

    def is_mid_turn(self, state: State) -> bool:
        return bool(state.drawn)

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        """Shuffle the supply again. Only its order is hidden, because the position of the last-round card is public."""
        place = state.supply.find(LAST_ROUND)
        cards = "".join(dice.shuffle(sorted(state.supply.replace(LAST_ROUND, ""))))
        return replace(state, supply=cards if place < 0 else cards[:place] + LAST_ROUND + cards[place:])


ENGINE = Coloretto()
