"""The interface that every game implements: pure functions over immutable values."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, final

import msgspec

from games.engine import text
from games.engine.board import Board
from games.engine.board_text import board_text
from games.engine.choices import Button, Choices, Form
from games.engine.dice import Dice
from games.engine.errors import BadSetup, IllegalMove, MalformedMove
from games.engine.names import Names
from games.engine.records import Codec, Event, Move, Record
from games.engine.strategy import Strategy

S = TypeVar("S", bound=Record)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=Record)


class Played(NamedTuple, Generic[S]):
    """The result of a move.

    `quiet` means that the turn number stays the same: a sealed move was made, replaced or withdrawn while others are
    still deciding.
    """

    state: S
    events: tuple[Event, ...]
    quiet: bool = False


class Line(Record, frozen=True):
    """The points a seat got from one source in one deal or round."""

    period: int
    source: str
    points: int
    detail: str = ""


class Outcome(Record, frozen=True):
    """How a match ended.

    Lists each seat's points and place (a tie shares a place: 1, 2, 2, 4), and the sources of the points.
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
    """A game. Engines are stateless: positions are passed in and returned."""

    slug: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """The version of the rules. A match keeps the version it started with (docs/engine.md)."""
    title: ClassVar[str]
    seats: ClassVar[range]
    options: ClassVar[type[Record]]
    notation_help: ClassVar[tuple[tuple[str, str], ...]]
    verbs: ClassVar[tuple[str, ...]]
    """The first word of every move. The registry has the same list."""
    period: ClassVar[str]
    sealed_moves: ClassVar[tuple[type, ...]] = ()
    """Move types that stay hidden until everyone in the round has made theirs."""
    sealed_move_bytes: ClassVar[int] = 0
    """Stored sealed moves are padded to a multiple of this, so that their length reveals nothing."""
    sealed_round_bytes: ClassVar[int] = 0
    """Bytes reserved in a stored position for all moves that are sealed at the same time."""

    states: Codec[S]
    moves: Codec[M]
    events: Codec[Event]
    views: Codec[V]

    strategy: Strategy[S, M] | None = None
    """Advice for bots. Without it, they try moves in random matches."""

    control_labels: ClassVar[Mapping[str, str]] = {}
    """The labels of forms and their fields on web pages. By default, their names are used."""
    control_hints: ClassVar[Mapping[str, str]] = {}
    """Sentences about a field, or about a move made on the board: what to tap, and what it does."""

    withdrawal: M | None = None
    """The move that takes back a player's sealed move."""

    @abstractmethod
    def new_match(self, seats: int, options: Any, dice: Dice) -> Played[S]:
        """Return the position before the first move. Raises BadSetup like `check_setup`."""

    @abstractmethod
    def check_setup(self, seats: int, options: Any) -> None:
        """Raise BadSetup if this many seats cannot play with these options."""

    @abstractmethod
    def awaiting(self, state: S) -> frozenset[int]:
        """Return the seats that must move: none after the match, several in a sealed round."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: M) -> IllegalMove | None:
        """Return why this seat may not make this move now, or None. This alone decides whether a move is legal."""

    @abstractmethod
    def choices(self, state: S, seat: int) -> Choices[M]:
        """Return everything this seat may do now."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M, dice: Dice) -> Played[S]:
        """Make a move and return the new position with its events. Raises the error that `refusal` returns."""

    def advance(self, state: S, seat: int, move: M, dice: Dice) -> S:
        """Make a move that is known to be legal, without events. For searches."""
        return self.play(state, seat, move, dice).state

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """Return what this seat (or a spectator, if None) may know. Build it up field by field."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match is running."""

    @abstractmethod
    def on_timeout(self, state: S, seat: int) -> M:
        """Return a harmless legal move for a player who ran out of time."""

    def is_mid_turn(self, state: S) -> bool:
        """Return whether a player has taken the first of several steps in a turn."""
        return False

    @abstractmethod
    def imagine(self, state: S, seat: int | None, dice: Dice) -> S:
        """Return another position that looks the same to this seat, with everything hidden from it dealt again.

        The result depends only on the dice and on what the seat knows, so imagining an imagined position gives the same
        position.
        """

    @abstractmethod
    def parse(self, text: str) -> M:
        """Parse a move as players write it, ignoring case and extra spaces. Raises MalformedMove."""

    @abstractmethod
    def notation(self, move: M) -> str:
        """Write a move the way players do. It looks the same in emails, on the command line and in logs."""

    def button(self, move: M) -> Button:
        """Describe how web pages offer a move."""
        written = self.notation(move)
        return Button(written[:1].upper() + written[1:])

    def control_label(self, name: str) -> str:
        """Return the label of a form or of one of its fields."""
        return self.control_labels.get(name) or name.replace("_", " ").capitalize()

    def points(self, view: V) -> tuple[int, ...]:
        """Return each seat's points if the match ended now. Empty if the game does not count points."""
        return ()

    @abstractmethod
    def board(self, view: V, names: Names) -> Board:
        """Describe a view in symbols, colors and words. All renderings use this description."""

    def picture(self, view: V, names: Names) -> str:
        """Render a view as plain text, at most 80 columns wide and readable without color."""
        return board_text(self.board(view, names))

    @abstractmethod
    def tell(self, event: Event, names: Names) -> str:
        """Describe an event to the reader: "You drew a green card" or "Ben drew a green card"."""

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
        """Return the view for a match that was ended early, where nobody is to move."""
        return view

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        """Validate options and fill in defaults. Raises BadSetup."""
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
        """Read a move from JSON. Raises MalformedMove."""
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
