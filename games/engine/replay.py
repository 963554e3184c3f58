"""A match once more from its seed and moves: every position and every event, with its place in the chain."""

from typing import Any

from games.engine.dice import Dice
from games.engine.fairness import Chain, ChainedEvent, Terms, chain_start, match_seed
from games.engine.registry import AnyEngine

FIRST_TURN = 1


class Replay:
    """Plays a match move by move from its terms and its secret."""

    def __init__(self, engine: AnyEngine, terms: Terms, secret: bytes) -> None:
        self.engine = engine
        self.seed = match_seed(secret, terms.salts)
        self.chain = Chain(engine, self.seed, chain_start(terms))
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
