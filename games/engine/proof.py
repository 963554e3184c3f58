"""Replay a match from its seed and moves, and verify a proof."""

from typing import Any, Literal

import msgspec

from games.engine import fairness, receipts
from games.engine.dice import Dice
from games.engine.errors import EngineError, UnknownGame
from games.engine.fairness import Chain, ChainedEvent, Terms, chain_start, match_seed
from games.engine.records import FIRST_SCHEMA, Record, canonical
from games.engine.registry import AnyEngine, engine
from games.engine.text import counted

FIRST_TURN = 1


class Replay:
    """Replays a match move by move from its terms and secret."""

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
    """A move, in the order the players saw them. For a sealed move that was withdrawn or voided, `move` is null. A
    revealed move comes with its nonce and receipt."""

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
    """The first inconsistency in a proof."""


class NewerProof(ProofFailed):
    """The proof needs a later version to be checked. This does not mean that the match was unfair."""


class Schema(msgspec.Struct):
    """A proof's schema number, readable in every schema."""

    schema: int = SCHEMA


class Verdict(Record, frozen=True):
    """What a valid proof has shown, in sentences, and values that players may have recorded during the match."""

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
    except UNREADABLE:
        refuse_newer(data)
        raise ProofFailed("unreadable", "This isn't a match proof.") from None
    if canonical(proof) != data:
        raise ProofFailed("not_canonical", "The proof isn't in canonical form.")
    return proof


def refuse_newer(data: bytes) -> None:
    try:
        schema = msgspec.json.decode(data, type=Schema).schema
    except UNREADABLE:
        return
    if schema > SCHEMA:
        raise NewerProof("newer_proof", f"The proof has schema {schema}; this version checks schemas up to {SCHEMA}.")


def check_secret(proof: Proof) -> bytes:
    try:
        secret = bytes.fromhex(proof.secret)
    except ValueError:
        raise ProofFailed("bad_secret", "The server's secret isn't hexadecimal.") from None
    if secret.hex() != proof.secret or fairness.secret_hash(secret) != proof.terms.secret_hash:
        raise ProofFailed("bad_secret", "The server's secret doesn't match the hash published before the match.")
    return secret


def start(proof: Proof, secret: bytes) -> Replay:
    try:
        return Replay(engine(proof.terms.game), proof.terms, secret)
    except UnknownGame as error:
        raise NewerProof(error.code, error.message) from None
    except EngineError as error:
        raise ProofFailed("bad_terms", f"No match can start with these terms: {error.message}") from None


def check_seating(proof: Proof, seed: bytes) -> None:
    if list(proof.seating) != fairness.seating(seed, len(proof.terms.salts)):
        raise ProofFailed("bad_seating", "The seats aren't the ones that were drawn.")


def replay_move(replay: Replay, number: int, proven: ProvenMove, match: str, pending: set[int]) -> set[int]:
    """Replay one move. Returns the seats whose sealed move is still unknown and must never be revealed."""
    game = replay.engine
    before = replay.turn
    if proven.turn != before:
        raise failed_move(number, f"it was made on turn {proven.turn}, but the match was on turn {before}")
    if proven.move is not None and is_newer(proven.move, game.moves.schema):
        raise NewerProof("newer_move", f"Move {number} has a schema that only a later version can read.")
    try:
        move = game.on_timeout(replay.state, proven.seat) if proven.move is None else game.read_move(proven.move)
        sealed = game.is_sealed(move)
        if proven.move is not None and canonical(proven.move) != canonical(move):
            raise failed_move(number, "it isn't in canonical form")
        if sealed != proven.sealed or (proven.move is None and not sealed):
            raise failed_move(number, "its 'sealed' field doesn't fit the move")
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
        raise failed_move(number, "a sealed move that was played is missing from the proof")
    return set()


def check_receipt(game: AnyEngine, number: int, proven: ProvenMove, match: str, move: Any) -> None:
    if not proven.sealed or proven.move is None:
        if proven.receipt is not None or proven.nonce is not None:
            raise failed_move(number, "it has a receipt, but isn't a revealed sealed move")
        return
    shown, whole = canonical(game.revealed(move)), canonical(move)
    expected = receipts.receipt(match, proven.turn, proven.seat, proven.nonce or "", shown, whole)
    if proven.receipt != expected:
        raise failed_move(number, "it doesn't match its receipt")


def failed_move(number: int, why: str) -> ProofFailed:
    return ProofFailed("bad_move", f"Move {number} is invalid: {why.rstrip('.')}.", number=number)


def proven_event(game: AnyEngine, chained: ChainedEvent) -> ProvenEvent:
    event = msgspec.json.decode(game.events.dump(chained.event))
    return ProvenEvent(chained.number, chained.turn, event, chained.audience, chained.hash)


def check_events(replay: Replay, events: tuple[ProvenEvent, ...]) -> None:
    if len(events) != len(replay.events):
        led_to = counted(len(replay.events), "event")
        raise ProofFailed("bad_events", f"The moves lead to {led_to}, but the proof lists {len(events)}.")
    for chained, listed in zip(replay.events, events, strict=True):
        if canonical(proven_event(replay.engine, chained)) != canonical(listed):
            raise ProofFailed(
                "bad_event", f"Event {chained.number} doesn't follow from the moves.", number=chained.number
            )


def check_outcome(replay: Replay, proof: Proof) -> None:
    outcome = replay.engine.outcome(replay.state)
    if proof.outcome is None and outcome is None:
        return
    if canonical(outcome) != canonical(proof.outcome):
        raise ProofFailed("bad_outcome", "The result doesn't follow from the moves.")


def verdict(proof: Proof, replay: Replay) -> Verdict:
    receipts = sum(move.receipt is not None for move in proof.moves)
    sealed = f"Every sealed move matches its receipt ({counted(receipts, 'receipt')})."
    checks = (
        "The server's secret matches the hash published before the match.",
        f"The secret and {counted(len(proof.terms.salts), 'salt')} give the seed, and the seats were drawn from it.",
        f"Every move is legal, and together they lead to the result ({counted(len(proof.moves), 'move')}).",
        f"Every event follows from the moves, and the hash chain is intact ({counted(len(proof.events), 'event')}).",
        sealed if receipts else "No move was sealed.",
    )
    return Verdict(checks, proof.terms.match, proof.terms.secret_hash, replay.chain.head)
