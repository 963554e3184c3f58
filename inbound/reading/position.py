"""The position that a reply is about, and the moves that are possible in it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from games.engine.choices import Choices
from games.engine.errors import MalformedMove
from games.engine.phrases import ONLY_IF_LEGAL, Words, words_of
from games.engine.registry import AnyEngine
from inbound.reading.words import is_word, spoken

MOST_SUGGESTED = 5


@dataclass(frozen=True)
class Position:
    """What a reply is about: a game and, once the match has started, its state and the player's seat."""

    engine: AnyEngine
    state: Any = None
    seat: int = 0
    match_id: str = ""
    own_name: str = ""
    others: Sequence[str] = ()
    """The names of the other players."""
    asks_for_a_vote: bool = False
    """Whether the email that was answered asks for a vote on a proposal, so that "yes" has a meaning."""
    is_chat: bool = False
    """Whether the email that was answered shows a message, so that a plain reply is also a message."""

    @cached_property
    def legal(self) -> tuple[Any, ...]:
        return self.engine.choices(self.state, self.seat).moves if self.state is not None else ()

    @cached_property
    def possible_kinds(self) -> set[str]:
        """The kinds of moves that are possible now, such as "bid"."""
        if self.state is None:
            return set()
        forms = self.engine.choices(self.state, self.seat).forms
        return {kind_of(move) for move in self.legal} | {form.move for form in forms}

    @property
    def can_move(self) -> bool:
        return bool(self.possible_kinds)

    def is_legal(self, move: Any) -> bool:
        return self.state is not None and self.engine.refusal(self.state, self.seat, move) is None


def kind_of(move: Any) -> str:
    return str(type(move).__struct_config__.tag)


def is_move(text: str, engine: AnyEngine) -> bool:
    try:
        engine.parse(text)
    except MalformedMove:
        return False
    return True


def normalized(text: str, position: Position) -> str:
    try:
        return position.engine.notation(position.engine.parse(text.removeprefix(ONLY_IF_LEGAL)))
    except MalformedMove:
        return ""


def closest(text: str, position: Position) -> list[str]:
    """Suggest legal moves, with those closest to the text first. If any of them would be sealed, they are not sorted,
    so that their order reveals nothing about the text."""
    engine, words = position.engine, {word for word in spoken(text) if is_word(word)}
    choices = engine.choices(position.state, position.seat) if position.state is not None else Choices()
    written = [*(engine.notation(move) for move in choices.moves), *(form.example for form in choices.forms)]
    if not any(engine.is_sealed(engine.parse(each)) for each in written):
        written.sort(key=lambda each: -likeness(words_of(each), words))
    return written[:MOST_SUGGESTED]


def likeness(move: Words, words: Collection[str]) -> float:
    """Return how many words of a move are in the text, including words with a typo."""
    return sum(max((SequenceMatcher(None, part, word).ratio() for word in words), default=0) for part in move) / len(
        move
    )
