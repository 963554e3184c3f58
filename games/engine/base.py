"""The interface of a game: pure functions over immutable values."""

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
    """The result of a move. `quiet` if the match's turn number stays the same: a sealed move was made, replaced or
    withdrawn, and the others are still deciding."""

    state: S
    events: tuple[Event, ...]
    quiet: bool = False


class Line(Record, frozen=True):
    """One seat's points from one source, in one deal or round."""

    period: int
    source: str
    points: int
    detail: str = ""


class Outcome(Record, frozen=True):
    """How a match ended: points by seat, places (ties share one: 1, 2, 2, 4), and why."""

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
    """One game. It is stateless: positions are passed in and returned."""

    slug: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """A match keeps the version that it started with (docs/engine.md)."""
    title: ClassVar[str]
    seats: ClassVar[range]
    options: ClassVar[type[Record]]
    notation_help: ClassVar[tuple[tuple[str, str], ...]]
    verbs: ClassVar[tuple[str, ...]]
    """The first words of all moves, the same as in the registry."""
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
    """What bots are told about good play. Without it they try moves in random matches."""

    withdrawal: M | None = None
    """The move that takes a player's sealed move back."""

    @abstractmethod
    def new_match(self, seats: int, options: Any, dice: Dice) -> Played[S]:
        """The position before the first move. Raises BadSetup like `check_setup`."""

    @abstractmethod
    def check_setup(self, seats: int, options: Any) -> None:
        """Raises BadSetup when this many seats cannot play with these options."""

    @abstractmethod
    def awaiting(self, state: S) -> frozenset[int]:
        """The seats that must act: none after the match, several in a sealed round."""

    @abstractmethod
    def refusal(self, state: S, seat: int, move: M) -> IllegalMove | None:
        """Why this seat may not make this move now, or None. Nothing else decides whether a move is legal."""

    @abstractmethod
    def choices(self, state: S, seat: int) -> Choices[M]:
        """Everything this seat may do now."""

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
        """The result, or None while the match is running."""

    @abstractmethod
    def on_timeout(self, state: S, seat: int) -> M:
        """A harmless legal move for a player who ran out of time."""

    def is_mid_turn(self, state: S) -> bool:
        """Whether a player is in the middle of a turn with several steps."""
        return False

    @abstractmethod
    def imagine(self, state: S, seat: int | None, dice: Dice) -> S:
        """Another position that looks the same to this seat: everything hidden from it is dealt again. The result
        depends only on what the seat knows and on the dice, so imagining an imagined position gives the same
        position."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move as players write it, ignoring case and extra spaces. Raises MalformedMove."""

    @abstractmethod
    def notation(self, move: M) -> str:
        """The move as players write it, the same in mail, on the command line and in logs."""

    @abstractmethod
    def board(self, view: V, names: Names) -> Board:
        """Describe a view in symbols, colors and words. Every rendering is made from this."""

    def picture(self, view: V, names: Names) -> str:
        """A view in plain text: at most 80 columns, readable without color."""
        return board_text(self.board(view, names))

    @abstractmethod
    def tell(self, event: Event, names: Names) -> str:
        """An event as a sentence for the reader: "You drew a green card" or "Ben drew a green card"."""

    @final
    def is_sealed(self, move: M) -> bool:
        return isinstance(move, self.sealed_moves)

    def revealed(self, move: M) -> M:
        """The part of a sealed move that the reveal shows; the rest, such as a plan for later, stays private."""
        return move

    def mailable(self, view: V) -> V:
        """A player's view without their sealed move, which email must not contain."""
        return view

    def stopped(self, view: V) -> V:
        """The view after players ended the match early: nobody has to move."""
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
        """A random legal move. Each listed move and each form is equally likely."""
        options: Choices[M] = self.choices(state, seat)
        pick = dice.below(len(options.moves) + len(options.forms))
        if pick < len(options.moves):
            return options.moves[pick]
        return self.fill(options.forms[pick - len(options.moves)], dice)

    def playout(self, state: S, dice: Dice) -> S:
        """The position at the end of the match after random moves."""
        while awaited := self.awaiting(state):
            seat = min(awaited)
            state = self.advance(state, seat, self.sample(state, seat, dice), dice)
        return state

    def fill(self, form: Form, dice: Dice) -> M:
        return self.read_move({"move": form.move} | {field.name: field.sample(dice) for field in form.fields})

    def rules_page(self) -> str:
        """The rules for players in Markdown, and how to write each move."""
        page = files(type(self).__module__).joinpath("rules.md").read_text("utf-8")
        orders = [f"| `{example}` | {meaning} |" for example, meaning in self.notation_help]
        return "\n".join([page, "## How to write your moves", "", "| move | what it does |", "|---|---|", *orders, ""])
