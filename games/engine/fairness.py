"""Make matches verifiable, with a seed that nobody can choose alone, and a hash chain of moves and events.

docs/fairness.md has the exact definitions, so that anyone can write their own checker.
"""

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from games.engine.dice import Dice
from games.engine.receipts import digest
from games.engine.records import Event, Record, canonical

SEATING_TURN = 2**64 - 1
SECRET_BYTES = 32
SALT = re.compile(r"[\x20-\x7e]{1,64}")
HASH = re.compile(r"[0-9a-f]{64}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")

Salts = Literal["open", "committed"]
SaltMaker = Literal["player", "browser", "server", "bot"]
MoveMaker = Literal["player", "standing_order", "time_out", "stand_in", "bot"]

ARRANGEMENTS: dict[Salts, str] = {
    "open": "Players add their salts to the shuffle as they join. "
    "This does not protect you from an operator who colludes with the last player to join.",
    "committed": "Players commit to their salts as they join and reveal them when all seats are taken. "
    "Nobody can choose the cards, not even the operator colluding with all the other players. "
    "The proof shows if a player did not reveal their salt in time.",
}
"""What each kind of salt protects against."""


class Contribution(Record, frozen=True):
    """One player's share of the seed."""

    position: int
    """The player's number. Players are numbered as they join, and keep their numbers when somebody else leaves."""
    by: SaltMaker
    salt: str | None
    """The salt, or None if it was committed but never revealed."""
    commitment: str | None
    pseudonym: str


class Terms(Record, frozen=True):
    """The terms under which a match started. Their hash is the first link of the chain."""

    match: str
    game: str
    rules: int
    options: dict[str, str | int | bool | None]
    salts: Salts
    secret_hash: str
    players: tuple[Contribution, ...]
    """The players' contributions, in the order in which they joined."""
    started_at: str
    protocol: Literal[2] = 2


def secret_hash(secret: bytes) -> str:
    return sha256(secret).hexdigest()


def commitment(match: str, salt: str) -> str:
    return digest(b"turnpost commitment 2\n", match.encode(), salt.encode())


def pseudonym(match: str, pseudonym_salt: str, username: str) -> str:
    """Derive a player's pseudonym for the proof.

    Without `pseudonym_salt`, the pseudonym says nothing about the player.
    """
    return digest(b"turnpost pseudonym 2\n", match.encode(), pseudonym_salt.encode(), username.encode())


def match_seed(secret: bytes, salts: Iterable[str | None]) -> bytes:
    """Derive the seed for all dice in a match. A salt that was not revealed counts as empty."""
    hashed = sha256(b"turnpost seed 2\n" + secret)
    for salt in salts:
        encoded = (salt or "").encode()
        hashed.update(len(encoded).to_bytes(4, "big") + encoded)
    return hashed.digest()


def seating(seed: bytes, players: int) -> list[int]:
    """Return, for each seat, the index of its player in the order in which players joined."""
    return Dice(seed, SEATING_TURN).shuffle(range(players))


class Reveal(Record, frozen=True):
    """A sealed move that takes effect."""

    by: MoveMaker
    receipt: str
    seat: int


class MadeMove(Record, frozen=True):
    """A move as recorded in the chain. For a sealed move, only the receipt is recorded, not the content."""

    at: str
    by: MoveMaker
    move: Any
    receipt: str | None
    seat: int
    turn: int


class Cause(Record, frozen=True):
    """The link for a move, which precedes the links of the events that the move caused."""

    at: str
    by: MoveMaker | None
    """Who made the move, or None if the move is sealed. Sealed moves name their maker only when they are revealed."""
    move: Any
    """The move, or None if it is sealed."""
    reveals: tuple[Reveal, ...]
    """The receipts in seat order, if this was the last sealed move of the round."""
    seat: int
    turn: int


class End(Record, frozen=True):
    """The last link of the chain."""

    at: str
    asked_by: tuple[int, ...]
    """The seats that asked to abandon the match. If there are none in an abandoned match, no player was left."""
    reason: Literal["finished", "abandoned"]
    turn: int


def link_move(sealed: Sequence[Reveal], made: MadeMove, *, advanced: bool) -> tuple[Cause, tuple[Reveal, ...]]:
    """Return the link for a move, and the receipts that are still sealed after it."""
    others = [reveal for reveal in sealed if reveal.seat != made.seat]
    if made.receipt is None:
        cause = Cause(made.at, made.by, made.move, (), made.seat, made.turn)
        return cause, () if advanced else tuple(others)
    waiting = tuple(sorted([*others, Reveal(made.by, made.receipt, made.seat)], key=lambda reveal: reveal.seat))
    cause = Cause(made.at, None, None, waiting if advanced else (), made.seat, made.turn)
    return cause, () if advanced else waiting


def statement(kind: str, **fields: Any) -> bytes:
    """Return the bytes that the server signs."""
    return b"turnpost statement 2\n" + canonical({"kind": kind, **fields})


def secret_statement(match: str, secret_hash: str) -> bytes:
    return statement("secret", match=match, secret_hash=secret_hash)


def head_statement(match: str, turn: int, events: int, head: str, *, ended: bool) -> bytes:
    return statement("head", match=match, turn=turn, events=events, head=head, ended=ended)


def receipt_statement(match: str, turn: int, seat: int, receipt: str) -> bytes:
    return statement("receipt", match=match, turn=turn, seat=seat, receipt=receipt)


def chain_start(terms: Terms) -> str:
    return sha256(b"turnpost chain 2\n" + canonical(terms)).hexdigest()


def move_leaf(cause: bytes) -> str:
    return sha256(b"turnpost move 2\n" + cause).hexdigest()


def end_leaf(end: End) -> str:
    return sha256(b"turnpost end 2\n" + canonical(end)).hexdigest()


def public_leaf(event: bytes) -> str:
    return sha256(b"turnpost event 2\n" + event).hexdigest()


def private_leaf(seed: bytes, number: int, event: bytes) -> str:
    """Commit to an event without revealing it to people who do not know the seed."""
    blind = hmac.digest(seed, b"turnpost blind 2\n%d" % number, "sha256")
    return sha256(b"turnpost hidden event 2\n" + blind + event).hexdigest()


def link(previous: str, leaf: str) -> str:
    return sha256(bytes.fromhex(previous) + bytes.fromhex(leaf)).hexdigest()


def fingerprint(head: str) -> str:
    """Shorten a hash so that it can be read aloud, as in 9f3a 27c1 04be."""
    return " ".join(head[place : place + 4] for place in (0, 4, 8))


class ChainedEvent(Record, frozen=True):
    number: int
    turn: int
    """The turn that follows the move."""
    event: Event
    content: bytes
    """The event as it is stored and hashed."""
    audience: tuple[int, ...] | None
    cause: bytes
    """The move's link, if this is the move's first event. It is empty for the other events."""
    leaf: str
    hash: str


@dataclass
class Chain:
    """Numbers the events, and links each one to the previous one."""

    seed: bytes
    head: str
    number: int = 0

    def append(self, events: Sequence[Event], turn: int, cause: Cause | None = None) -> list[ChainedEvent]:
        """Append the events of a move. A move without events only replaced a sealed one, so it must leave no trace."""
        chained: list[ChainedEvent] = []
        for event in events:
            self.number += 1
            caused_by = canonical(cause) if cause and not chained else b""
            if caused_by:
                self.head = link(self.head, move_leaf(caused_by))
            content, audience = canonical(event), event.audience()
            leaf = public_leaf(content) if audience is None else private_leaf(self.seed, self.number, content)
            self.head = link(self.head, leaf)
            seats = None if audience is None else tuple(sorted(audience))
            chained.append(ChainedEvent(self.number, turn, event, content, seats, caused_by, leaf, self.head))
        return chained
