"""Playing a match again from its seed and moves, and checking a proof of it."""

from typing import Any, Literal

import msgspec

from games.engine import fairness, receipts
from games.engine.dice import Dice
from games.engine.errors import EngineError, UnknownGame
from games.engine.fairness import Chain, ChainedEvent, Terms, chain_start, match_seed
from games.engine.records import FIRST_SCHEMA, Record, canonical
from games.engine.registry import AnyEngine, engine

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


SCHEMA = 1
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class ProvenMove(Record, frozen=True):
    """A move, in the order in which the players saw it. For a sealed move that was taken back or voided, `move` is
    null. A revealed move comes with its nonce and receipt."""

    turn: int
    seat: int
    move: dict[str, Any] | None
    sealed: bool
    nonce: str | None = None
    receipt: str | None = None


class ProvenEvent(Record, frozen=True):
    number: int
    turn: int
    event: dict[str, Any]
    audience: tuple[int, ...] | None
    hash: str


class Proof(Record, frozen=True):
    terms: fairness.Terms
    secret: str
    seating: tuple[int, ...]
    moves: tuple[ProvenMove, ...]
    events: tuple[ProvenEvent, ...]
    outcome: dict[str, Any] | None
    """None when the players abandoned the match."""
    schema: Literal[1] = 1


class ProofFailed(EngineError):
    """The first thing in a proof that does not fit the rest."""


class NewerProof(ProofFailed):
    """One that only a later version of this program can check: it says nothing against the match."""


class Schema(msgspec.Struct):
    """What a proof says of its form, whatever that form is."""

    schema: int = SCHEMA


class Verdict(Record, frozen=True):
    """What a good proof has shown, as sentences, and the figures that players may have noted during the match."""

    checks: tuple[str, ...]
    match: str
    secret_hash: str
    head: str


def verify(data: bytes) -> Verdict:
    """Raises ProofFailed at the first difference."""
    proof = read(data)
    secret = check_secret(proof)
    replay = start(proof, secret)
    check_seating(proof, replay.seed)
    pending: set[int] = set()
    for number, move in enumerate(proof.moves, start=1):
        pending = replay_move(replay, number, move, proof.terms.match, pending)
    check_events(replay, proof.events)
    check_outcome(replay, proof)
    return verdict(proof, replay)


def read(data: bytes) -> Proof:
    try:
        proof = msgspec.json.decode(data, type=Proof)
    except UNREADABLE as error:
        refuse_newer(data)
        raise ProofFailed("unreadable", f"This is no proof of a match: {error}.") from None
    if canonical(proof) != data:
        raise ProofFailed("not_canonical", "The proof is not in the one form that a proof has.")
    return proof


def refuse_newer(data: bytes) -> None:
    try:
        schema = msgspec.json.decode(data, type=Schema).schema
    except UNREADABLE:
        return
    if schema > SCHEMA:
        raise NewerProof("newer_proof", f"The proof is of schema {schema}; schemas up to {SCHEMA} can be checked.")


def check_secret(proof: Proof) -> bytes:
    try:
        secret = bytes.fromhex(proof.secret)
    except ValueError:
        raise ProofFailed("bad_secret", "The server's secret is not written in hexadecimal.") from None
    if secret.hex() != proof.secret or fairness.secret_hash(secret) != proof.terms.secret_hash:
        raise ProofFailed("bad_secret", "The server's secret does not fit the hash published before the match.")
    return secret


def start(proof: Proof, secret: bytes) -> Replay:
    try:
        return Replay(engine(proof.terms.game), proof.terms, secret)
    except UnknownGame as error:
        raise NewerProof(error.code, error.message) from None
    except EngineError as error:
        raise ProofFailed("bad_terms", f"No match starts like this: {error.message}") from None


def check_seating(proof: Proof, seed: bytes) -> None:
    if list(proof.seating) != fairness.seating(seed, len(proof.terms.salts)):
        raise ProofFailed("bad_seating", "The players do not sit where the lot put them.")


def replay_move(replay: Replay, number: int, proven: ProvenMove, match: str, pending: set[int]) -> set[int]:
    """Plays one move; returns the seats whose sealed move is still unknown and must not come to bear."""
    game = replay.engine
    before = replay.turn
    if proven.turn != before:
        raise failed_move(number, f"it was made on turn {proven.turn}, but the match was on turn {before}")
    if proven.move is not None and is_newer(proven.move, game.moves.schema):
        raise NewerProof("newer_move", f"Move {number} is of a schema that only a later version can read.")
    try:
        move = game.on_timeout(replay.state, proven.seat) if proven.move is None else game.read_move(proven.move)
        sealed = game.is_sealed(move)
        if proven.move is not None and canonical(proven.move) != canonical(move):
            raise failed_move(number, "it is not written in the one form a move has")
        if sealed != proven.sealed or (proven.move is None and not sealed):
            raise failed_move(number, "only sealed moves may stay unknown, and only they are sealed")
        check_receipt(game, number, proven, match, move)
        replay.play(proven.seat, move)
    except ProofFailed:
        raise
    except (EngineError, LookupError, ValueError) as error:
        raise failed_move(number, str(error)) from None
    return still_unknown(number, proven, pending, advanced=replay.turn != before)


def is_newer(record: dict[str, Any], schema: int) -> bool:
    said = record.get("schema", FIRST_SCHEMA)
    return isinstance(said, int) and said > schema


def still_unknown(number: int, proven: ProvenMove, pending: set[int], *, advanced: bool) -> set[int]:
    unknown = pending | {proven.seat} if proven.move is None else pending - {proven.seat}
    if not advanced:
        return unknown
    if proven.sealed and unknown:
        raise failed_move(number, "a sealed move that came to bear is missing from the proof")
    return set()


def check_receipt(game: AnyEngine, number: int, proven: ProvenMove, match: str, move: Any) -> None:
    if not proven.sealed or proven.move is None:
        if proven.receipt is not None or proven.nonce is not None:
            raise failed_move(number, "it carries a receipt that belongs to no sealed move")
        return
    shown, whole = canonical(game.revealed(move)), canonical(move)
    expected = receipts.receipt(match, proven.turn, proven.seat, proven.nonce or "", shown, whole)
    if proven.receipt != expected:
        raise failed_move(number, "it does not fit its receipt")


def failed_move(number: int, why: str) -> ProofFailed:
    return ProofFailed("bad_move", f"Move {number} does not hold: {why}.", number=number)


def proven_event(game: AnyEngine, chained: ChainedEvent) -> ProvenEvent:
    event = msgspec.json.decode(game.events.dump(chained.event))
    return ProvenEvent(chained.number, chained.turn, event, chained.audience, chained.hash)


def check_events(replay: Replay, events: tuple[ProvenEvent, ...]) -> None:
    if len(events) != len(replay.events):
        raise ProofFailed(
            "bad_events", f"The match makes {len(replay.events)} events, and the proof lists {len(events)}."
        )
    for chained, listed in zip(replay.events, events, strict=True):
        if canonical(proven_event(replay.engine, chained)) != canonical(listed):
            raise ProofFailed(
                "bad_event", f"Event {chained.number} is not what the moves led to.", number=chained.number
            )


def check_outcome(replay: Replay, proof: Proof) -> None:
    outcome = replay.engine.outcome(replay.state)
    if proof.outcome is None and outcome is None:
        return
    if canonical(outcome) != canonical(proof.outcome):
        raise ProofFailed("bad_outcome", "The result is not what the moves led to.")


def verdict(proof: Proof, replay: Replay) -> Verdict:
    receipts = sum(move.receipt is not None for move in proof.moves)
    checks = (
        "The server's secret fits the hash that was published before the match.",
        f"Secret and {len(proof.terms.salts)} salts give the seed; the seats were drawn from it.",
        f"All {len(proof.moves)} moves are legal and lead to the result.",
        f"All {len(proof.events)} events are what the moves led to, and their chain of hashes is whole.",
        f"All {receipts} receipts fit their sealed moves." if receipts else "No move was sealed.",
    )
    return Verdict(checks, proof.terms.match, proof.terms.secret_hash, replay.chain.head)
