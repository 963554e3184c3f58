"""What makes a match verifiable: a seed that nobody can choose alone, and a hash chain of events.

docs/fairness.md has the exact definitions, so that anyone can write their own checker.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from games.engine.dice import Dice
from games.engine.records import Event, Record, canonical
from games.engine.registry import AnyEngine

SEATING_TURN = 2**64 - 1


class Terms(Record, frozen=True):
    """The terms a match started with. The event chain begins with the hash of this object."""

    match: str
    game: str
    options: dict[str, str | int | bool | None]
    secret_hash: str
    salts: tuple[str, ...]
    """One from each player, in the order they joined."""


def secret_hash(secret: bytes) -> str:
    return sha256(secret).hexdigest()


def match_seed(secret: bytes, salts: Sequence[str]) -> bytes:
    """The seed for all dice of a match. Neither the server nor any player can choose it alone."""
    digest = sha256(b"turnpost seed 1\n" + secret)
    for salt in map(str.encode, salts):
        digest.update(len(salt).to_bytes(4, "big") + salt)
    return digest.digest()


def seating(seed: bytes, players: int) -> list[int]:
    """For each seat, the index of its player in joining order."""
    return Dice(seed, SEATING_TURN).shuffle(range(players))


def chain_start(terms: Terms) -> str:
    return sha256(b"turnpost chain 1\n" + canonical(terms)).hexdigest()


def public_leaf(event: bytes) -> str:
    return sha256(b"turnpost event 1\n" + event).hexdigest()


def private_leaf(seed: bytes, number: int, event: bytes) -> str:
    """Commit to an event without revealing it to anyone who does not know the seed."""
    blind = hmac.digest(seed, b"turnpost blind 1\n%d" % number, "sha256")
    return sha256(b"turnpost hidden event 1\n" + blind + event).hexdigest()


def link(previous: str, leaf: str) -> str:
    return sha256(bytes.fromhex(previous) + bytes.fromhex(leaf)).hexdigest()


class ChainedEvent(Record, frozen=True):
    number: int
    turn: int
    event: Event
    content: bytes
    """The event as stored and hashed."""
    audience: tuple[int, ...] | None
    leaf: str
    hash: str


@dataclass
class Chain:
    """Number events and link each to the one before."""

    engine: AnyEngine
    seed: bytes
    head: str
    number: int = 0

    def append(self, events: tuple[Event, ...], turn: int) -> list[ChainedEvent]:
        chained = []
        for event in events:
            self.number += 1
            content, audience = self.engine.events.dump(event), event.audience()
            leaf = public_leaf(content) if audience is None else private_leaf(self.seed, self.number, content)
            self.head = link(self.head, leaf)
            seats = None if audience is None else tuple(sorted(audience))
            chained.append(ChainedEvent(self.number, turn, event, content, seats, leaf, self.head))
        return chained
