"""The interface that every game implements: pure functions over immutable values."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, final, get_args

import msgspec

from games.engine import text
from games.engine.board import Board
from games.engine.board_text import board_text
from games.engine.choices import Button, Choices, Form
from games.engine.dice import Dice
from games.engine.errors import BadSetup, IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.orders import Language
from games.engine.phrases import NO_PHRASES, Grammar
from games.engine.records import Codec, Event, Move, Record
from games.engine.strategy import Strategy

S = TypeVar("S", bound=Record)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=Record)


class Played(NamedTuple, Generic[S]):
    """The result of a move.

    `quiet` means that the turn number stays the same, because a sealed move was made, replaced or withdrawn while
    others are still deciding.
    """

    state: S
    events: tuple[Event, ...]
    quiet: bool = False


class Line(Record, frozen=True):
    """The points that a seat got from one source in one deal or round."""

    period: int
    source: str
    points: int
    detail: str = ""


class Outcome(Record, frozen=True):
    """The result of a match: each seat's points, their sources, and each seat's place.

    Players who tie share a place (1, 2, 2, 4).
    """

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
    """The rules of a game. Engines are stateless: positions are passed in and returned."""

    slug: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """The version of the rules. A match keeps the version that it started with (docs/engine.md)."""
    title: ClassVar[str]
    about: ClassVar[str] = ""
    """What players do, in one sentence, for people who don't know the game."""
    seats: ClassVar[range]
    options: ClassVar[type[Record]]
    notation_help: ClassVar[tuple[tuple[str, str], ...]]
    verbs: ClassVar[tuple[str, ...]]
    """The first word of every move. The registry has the same list."""
    period: ClassVar[str]
    sealed_moves: ClassVar[tuple[type, ...]] = ()
    """The types of moves that stay hidden until everyone in the round has made theirs."""
    sealed_move_bytes: ClassVar[int] = 0
    """The length of stored sealed moves is a multiple of this number of bytes, so that it reveals nothing."""
    sealed_round_bytes: ClassVar[int] = 0
    """The number of bytes reserved in a stored position for all moves that are sealed at the same time."""

    states: Codec[S]
    moves: Codec[M]
    events: Codec[Event]
    views: Codec[V]

    strategy: Strategy[S, M] | None = None
    """Advice for bots. Without a strategy, they try moves in random matches."""

    orders: Language[V, M] | None = None
    """The language of standing orders. Without it, the game refuses them."""

    control_labels: ClassVar[Mapping[str, str]] = {}
    """The labels of forms and their fields on web pages. By default, these are their names."""
    control_hints: ClassVar[Mapping[str, str]] = {}
    """Sentences that explain a field, or a move made on the board: what to tap, and what it does."""

    phrases: ClassVar[Grammar] = NO_PHRASES
    """How people write moves in their own words when they reply to emails."""

    withdrawal: M | None = None
    """The move that withdraws a player's sealed move."""

    @abstractmethod
    def new_match(self, seats: int, options: Any, dice: Dice) -> Played[S]:
        """Return the position before the first move. Raise BadSetup for the same reasons as `check_setup`."""

    @abstractmethod
    def check_setup(self, seats: int, options: Any) -> None:
        """Raise BadSetup if a match with this many seats and these options is impossible."""

    @abstractmethod
    def awaiting(self, state: S) -> frozenset[int]:
        """Return the seats that have to move. There are none after the match ends, and several in a sealed round."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: M) -> IllegalMove | None:
        """Return why this seat cannot make this move now, or None if the move is legal.

        No other function decides what is legal.
        """

    @abstractmethod
    def choices(self, state: S, seat: int) -> Choices[M]:
        """Return everything this seat may do now."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M, dice: Dice) -> Played[S]:
        """Make a move, and return the new position with its events.

        Raise the error that `refusal` returns for an illegal move.
        """

    def advance(self, state: S, seat: int, move: M, dice: Dice) -> S:
        """Make a move that is known to be legal, without creating events. Searches use this function."""
        return self.play(state, seat, move, dice).state

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """Return what this seat, or a spectator if `seat` is None, may know. Build the view field by field."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match is running."""

    @abstractmethod
    def on_timeout(self, state: S, seat: int) -> M:
        """Return a minimal legal move for a player who has run out of time."""

    def is_mid_turn(self, state: S) -> bool:
        """Return whether a player has made some but not all steps of a turn."""
        return False

    @abstractmethod
    def imagine(self, state: S, seat: int | None, dice: Dice) -> S:
        """Return another position that looks the same to this seat, in which everything hidden from it is dealt again.

        The result depends only on the dice and on what the seat knows, so imagining an imagined position gives the same
        result.
        """

    @abstractmethod
    def parse(self, text: str) -> M:
        """Parse a move as players write it, ignoring case and extra spaces. Raise MalformedMove if it isn't a move."""

    @abstractmethod
    def notation(self, move: M) -> str:
        """Write a move the way players do. The notation is the same in emails, on the command line and in logs."""

    def button(self, move: M) -> Button:
        """Return how web pages offer a listed move. Its label also describes moves that were put together in a form."""
        written = self.notation(move)
        return Button(written[:1].upper() + written[1:])

    def control_label(self, name: str) -> str:
        """Return the label of a form or of one of its fields."""
        return self.control_labels.get(name) or name.replace("_", " ").capitalize()

    def points(self, view: V) -> tuple[int, ...]:
        """Return the points that each seat would have if the match ended now.

        The list is empty if the game does not count points.
        """
        return ()

    @abstractmethod
    def board(self, view: V, names: Names) -> Board:
        """Describe a view in symbols, colors and words. Every rendering is based on this description."""

    def task(self, view: V) -> str:
        """Say in a few words what the reader has to do now, for the subject of an email."""
        return "your turn"

    def picture(self, view: V, names: Names) -> str:
        """Render a view as plain text, at most 80 columns wide and readable without color."""
        return board_text(self.board(view, names))

    @abstractmethod
    def tell(self, event: Event, names: Names) -> str:
        """Describe an event to the reader, as in "You drew a green card" or "Ben drew a green card"."""

    @final
    def is_on_board(self, kind: str) -> bool:
        """Return whether the board shows everything that events of this kind describe."""
        return any(one.is_on_board for one in self.events_of(kind))

    @final
    def is_news(self, kind: str) -> bool:
        """Return whether events of this kind matter even to players whose turn it isn't."""
        return any(one.is_news for one in self.events_of(kind))

    @final
    def is_minor(self, kind: str) -> bool:
        """Return whether short reports leave out events of this kind first."""
        return any(one.is_minor for one in self.events_of(kind))

    @final
    def has_details_for_seat(self, kind: str) -> bool:
        """Return whether the player whom events of this kind are about learns more from other events."""
        return any(one.has_details_for_seat for one in self.events_of(kind))

    @final
    def board_stage(self, kind: str) -> str:
        """Return the phase in which the board shows the latest event of this kind."""
        return "".join(one.board_stage for one in self.events_of(kind))

    @final
    def events_of(self, kind: str) -> list[type[Event]]:
        kinds: tuple[type[Event], ...] = get_args(self.events.kind)
        return [one for one in kinds if one.__struct_config__.tag == kind]

    @final
    def is_sealed(self, move: M) -> bool:
        return isinstance(move, self.sealed_moves)

    def revealed(self, move: M) -> M:
        """Return the part of a sealed move that becomes public. The rest, such as a plan, stays private."""
        return move

    def mailable(self, view: V) -> V:
        """Return a player's view without their sealed move, which must not appear in emails."""
        return view

    def stopped(self, view: V) -> V:
        """Return the view of a match that was ended early, in which no seat has to move."""
        return view

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        """Validate options and fill in defaults. Raise BadSetup if an option is invalid."""
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
        """Read a move from JSON. Raise MalformedMove if it isn't one."""
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
        """Choose a random legal move. Each listed move and each form is equally likely."""
        options: Choices[M] = self.choices(state, seat)
        pick = dice.below(len(options.moves) + len(options.forms))
        if pick < len(options.moves):
            return options.moves[pick]
        return self.fill(options.forms[pick - len(options.moves)], dice)

    def playout(self, state: S, dice: Dice) -> S:
        """Play random moves to the end of the match and return the final position."""
        while awaited := self.awaiting(state):
            seat = min(awaited)
            state = self.advance(state, seat, self.sample(state, seat, dice), dice)
        return state

    def fill(self, form: Form, dice: Dice) -> M:
        return self.read_move({"move": form.move} | {field.name: field.sample(dice) for field in form.fields})

    def rules_page(self) -> str:
        """Return the rules for players in Markdown, including how to write each move."""
        page = files(type(self).__module__).joinpath("rules.md").read_text("utf-8")
        orders = [f"| `{example}` | {meaning} |" for example, meaning in self.notation_help]
        return "\n".join([page, "## How to write your moves", "", "| move | what it does |", "|---|---|", *orders, ""])
