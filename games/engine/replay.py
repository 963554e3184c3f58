"""A match once more from its seed and moves: every position and every event, with its place in the chain."""

from typing import Any

from games.engine import fairness
from games.engine.dice import Dice
from games.engine.records import Event, Record
from games.engine.registry import AnyEngine

FIRST_TURN = 1


class ChainedEvent(Record, frozen=True):
    number: int
    turn: int
    event: Event
    audience: tuple[int, ...] | None
    leaf: str
    hash: str


class Chain:
    """Numbers events and links each to the one before."""

    def __init__(self, engine: AnyEngine, seed: bytes, head: str, number: int = 0) -> None:
        self._engine = engine
        self._seed = seed
        self.head = head
        self.number = number

    def append(self, events: tuple[Event, ...], turn: int) -> list[ChainedEvent]:
        return [self._append(event, turn) for event in events]

    def _append(self, event: Event, turn: int) -> ChainedEvent:
        self.number += 1
        body = self._engine.events.dump(event)
        audience = event.audience()
        leaf = fairness.public_leaf(body) if audience is None else fairness.private_leaf(self._seed, self.number, body)
        self.head = fairness.link(self.head, leaf)
        seats = None if audience is None else tuple(sorted(audience))
        return ChainedEvent(self.number, turn, event, seats, leaf, self.head)


class Replay:
    """Plays a match move by move from its terms and its secret."""

    def __init__(self, engine: AnyEngine, terms: fairness.Terms, secret: bytes) -> None:
        self.engine = engine
        self.seed = fairness.match_seed(secret, terms.salts)
        self.chain = Chain(engine, self.seed, fairness.chain_start(terms))
        self.turn = FIRST_TURN
        options = engine.read_options(terms.options)
        started = engine.new_match(len(terms.salts), options, Dice(self.seed, 0))
        self.state: Any = started.state
        self.events = self.chain.append(started.events, self.turn)

    def play(self, seat: int, move: Any) -> list[ChainedEvent]:
        played = self.engine.play(self.state, seat, move, Dice(self.seed, self.turn))
        self.state = played.state
        self.turn += not played.quiet
        followed = self.chain.append(played.events, self.turn)
        self.events += followed
        return followed
