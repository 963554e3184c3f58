"""What every game is: a small set of pure functions over immutable values."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, final

import msgspec

from games.engine import text
from games.engine.board import Board
from games.engine.board_text import board_text
from games.engine.choices import Choices, Form
from games.engine.dice import Dice
from games.engine.errors import BadSetup, IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.records import Codec, Event, Move, Record
from games.engine.strategy import Strategy

S = TypeVar("S", bound=Record)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=Record)


class Played(NamedTuple, Generic[S]):
    """What a move led to. `quiet` when the table is still asked the same: a sealed move came in, was
    replaced or was taken back, and the match's turn does not go up."""

    state: S
    events: tuple[Event, ...]
    quiet: bool = False


class Line(Record, frozen=True):
    """Points of one seat from one source, in one deal or round."""

    period: int
    source: str
    points: int
    detail: str = ""


class Outcome(Record, frozen=True):
    """How a match ended: points by seat, places (1, 2, 2, 4: shared places are shared), and why."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    lines: tuple[tuple[Line, ...], ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places(points: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other > mine for other in points) for mine in points)


class Engine(ABC, Generic[S, M, V]):
    """One game. An instance holds no match: every position is a value that goes in and comes out."""

    slug: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    options: ClassVar[type[Record]]
    notation_help: ClassVar[tuple[tuple[str, str], ...]]
    verbs: ClassVar[tuple[str, ...]]
    """The first words of all moves, the same as in the registry."""
    period: ClassVar[str]
    sealed_moves: ClassVar[tuple[type, ...]] = ()
    """The kinds of moves that others must not see until the last of their round is in."""
    sealed_move_bytes: ClassVar[int] = 0
    """A stored sealed move is padded to a multiple of this, so that its length tells nothing."""
    sealed_round_bytes: ClassVar[int] = 0
    """The room that a stored position keeps for all that is sealed at once."""

    states: Codec[S]
    moves: Codec[M]
    events: Codec[Event]
    views: Codec[V]

    strategy: Strategy[S, M] | None = None
    """What bots are told about good play. Without it they try moves in random matches."""

    withdrawal: M | None = None
    """The move that takes one's sealed move back."""

    @abstractmethod
    def new_match(self, seats: int, options: Any, dice: Dice) -> Played[S]:
        """The position before the first move. Refuses what `check_setup` refuses."""

    @abstractmethod
    def check_setup(self, seats: int, options: Any) -> None:
        """Raises BadSetup when this many seats cannot play with these options."""

    @abstractmethod
    def awaiting(self, state: S) -> frozenset[int]:
        """The seats that must act: none when it is over, several in a sealed round."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: M) -> IllegalMove | None:
        """Why this seat may not make this move now. The only place that knows legality."""

    @abstractmethod
    def choices(self, state: S, seat: int) -> Choices[M]:
        """All that this seat may do now."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M, dice: Dice) -> Played[S]:
        """The position after the move, and what happened. Raises what `refusal` returns."""

    def advance(self, state: S, seat: int, move: M, dice: Dice) -> S:
        """The position after a move that is known to be legal, for searches that need no events."""
        return self.play(state, seat, move, dice).state

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What a seat (None: a spectator) may know, built up field by field."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it goes on."""

    @abstractmethod
    def on_timeout(self, state: S, seat: int) -> M:
        """A harmless legal move for a seat that let the clock run out."""

    def is_mid_turn(self, state: S) -> bool:
        """Whether somebody has begun a turn of several steps, so that only they can go on."""
        return False

    @abstractmethod
    def imagine(self, state: S, seat: int | None, dice: Dice) -> S:
        """Another position that this seat cannot tell from this one: what it may not know is dealt anew.
        It follows from the seat's knowledge and the dice alone, so that imagining an imagined position
        gives the same."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """A move from its notation, forgiving of case and spaces. Raises MalformedMove."""

    @abstractmethod
    def notation(self, move: M) -> str:
        """The notation of a move, the same in mail, command line and log."""

    @abstractmethod
    def board(self, view: V, names: Names) -> Board:
        """How a view looks, in signs, colours and words: the one description that every drawing is made from."""

    def picture(self, view: V, names: Names) -> str:
        """A view in plain text: at most 80 columns, readable without colour."""
        return board_text(self.board(view, names))

    @abstractmethod
    def tell(self, event: Event, names: Names) -> str:
        """An event as a sentence for the reader: "You drew a green card" or "Ben drew a green card"."""

    @final
    def is_sealed(self, move: M) -> bool:
        return isinstance(move, self.sealed_moves)

    def revealed(self, move: M) -> M:
        """What the reveal shows of a sealed move; the rest, such as a plan for later, stays its player's."""
        return move

    def mailable(self, view: V) -> V:
        """A player's view without what they have sealed: that is not repeated in mail."""
        return view

    def stopped(self, view: V) -> V:
        """A view of a match that was ended before its end: nobody is asked any more."""
        return view

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        """Options from outside, typed and with defaults filled in. Raises BadSetup."""
        try:
            return msgspec.convert(raw, self.options)
        except msgspec.ValidationError:
            complaint = text.complaint(self.title, self.options, raw)
            hint = text.summary(self.title, self.options)
            allowed = text.schemas(self.options)
            raise BadSetup("bad_option", complaint, hint, allowed=allowed) from None

    def check_seat_count(self, seats: int, allowed: range) -> None:
        if seats not in allowed:
            raise BadSetup(
                "seat_count",
                f"{self.title} can't be played by {text.counted(seats, 'player')} with these options.",
                f"Choose {allowed.start} to {allowed.stop - 1} players.",
                allowed=list(allowed),
            )

    def read_move(self, raw: Mapping[str, Any]) -> M:
        """A move from its JSON form as it comes from outside. Raises MalformedMove."""
        try:
            move: M = msgspec.convert(raw, self.moves.kind)
        except msgspec.ValidationError:
            complaint = text.move_complaint(self.title, self.moves.kind, raw)
            allowed = [example for example, _ in self.notation_help]
            raise MalformedMove("malformed_move", complaint, self.notation_hint(), allowed=allowed) from None
        return move

    def notation_hint(self) -> str:
        examples = text.listing([f"'{example}'" for example, _ in self.notation_help], "or")
        return f"Try {examples}."

    def sample(self, state: S, seat: int, dice: Dice) -> M:
        """A random legal move: of listed moves and forms, each as likely."""
        options: Choices[M] = self.choices(state, seat)
        pick = dice.below(len(options.moves) + len(options.forms))
        if pick < len(options.moves):
            return options.moves[pick]
        return self.fill(options.forms[pick - len(options.moves)], dice)

    def fill(self, form: Form, dice: Dice) -> M:
        return self.read_move({"move": form.move} | {field.name: field.sample(dice) for field in form.fields})

    def rules_page(self) -> str:
        """The rules as players read them (Markdown), house rules marked, and how to write each move."""
        page = files(type(self).__module__).joinpath("rules.md").read_text("utf-8")
        orders = [f"| `{example}` | {meaning} |" for example, meaning in self.notation_help]
        return "\n".join([page, "## How to write your moves", "", "| move | what it does |", "|---|---|", *orders, ""])
