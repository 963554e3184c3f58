"""Replay a match from its seed and moves, and verify proofs."""

import re
from typing import Any, Literal, NamedTuple

import msgspec

from games.engine import fairness, receipts
from games.engine.dice import Dice
from games.engine.errors import EngineError, UnknownGame
from games.engine.fairness import Chain, ChainedEvent, Contribution, End, MadeMove, MoveMaker, Reveal, Terms
from games.engine.records import FIRST_SCHEMA, Record, canonical
from games.engine.registry import AnyEngine, engine
from games.engine.text import counted

FIRST_TURN = 1
SCHEMA = 2
MATCH_ID = re.compile("[a-z0-9]{1,12}")
NONCE = re.compile("[0-9a-f]{32}")
TOO_LARGE = 2**53
"""The smallest integer that JavaScript cannot represent exactly."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Replay:
    """Plays a match move by move from its terms and its secret."""

    def __init__(self, engine: AnyEngine, terms: Terms, secret: bytes) -> None:
        self.engine = engine
        self.seed = fairness.match_seed(secret, [player.salt for player in terms.players])
        self.chain = Chain(self.seed, fairness.chain_start(terms))
        self.turn = FIRST_TURN
        self.sealed: tuple[Reveal, ...] = ()
        options = engine.read_options(terms.options)
        started = engine.new_match(len(terms.players), options, Dice(self.seed, 0))
        self.state: Any = started.state
        self.events = self.chain.append(started.events, self.turn)

    def play(self, seat: int, move: Any, made: MadeMove | None = None) -> list[ChainedEvent]:
        """Play a move. Without `made`, the move is not added to the hash chain."""
        played = self.engine.play(self.state, seat, move, Dice(self.seed, self.turn))
        self.state = played.state
        self.turn += not played.quiet
        cause = None
        if made:
            cause, self.sealed = fairness.link_move(self.sealed, made, advanced=not played.quiet)
        followed = self.chain.append(played.events, self.turn, cause)
        self.events += followed
        return followed


class ProvenMove(Record, frozen=True):
    """A move in a proof. Proofs list moves in the order in which the players saw them.

    If a sealed move was withdrawn or voided, `move` is null. A revealed move comes with its nonce and receipt.
    """

    turn: int
    seat: int
    at: str
    """The time of the move. For a sealed move, this is when the seat first sealed one."""
    by: MoveMaker | None
    """Who made the move, or None if its content stays secret."""
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
    terms: Terms
    secret: str
    seating: tuple[int, ...]
    moves: tuple[ProvenMove, ...]
    events: tuple[ProvenEvent, ...]
    end: End
    head: str
    """The hash of the last link."""
    outcome: dict[str, Any] | None
    """The result, or None if the match was abandoned."""
    schema: Literal[2] = 2


class ProofFailed(EngineError):
    """Raised at the first inconsistency in a proof."""


class NewerProof(ProofFailed):
    """Raised if only a later version can check the proof. This does not mean that the match was unfair."""


class Schema(msgspec.Struct):
    schema: int = SCHEMA


class Verified(NamedTuple):
    """The result of verifying a proof without inconsistencies."""

    proof: Proof
    checks: tuple[str, ...]
    """Sentences that describe what was checked."""


def verify(data: bytes) -> Verified:
    """Verify a proof. Raise ProofFailed at the first inconsistency."""
    proof = read(data)
    secret = check_secret(proof)
    check_terms(proof.terms)
    replay = start(proof, secret)
    check_seating(proof, replay.seed)
    for number, move in enumerate(proof.moves, start=1):
        replay_move(replay, number, move, proof.terms.match)
    check_events(replay, proof.events)
    check_end(replay, proof)
    return Verified(proof, checks_of(proof))


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
    if not fairness.HASH.fullmatch(proof.secret):
        raise ProofFailed("bad_secret", "The server's secret isn't 32 bytes in lower-case hexadecimal.")
    secret = bytes.fromhex(proof.secret)
    if fairness.secret_hash(secret) != proof.terms.secret_hash:
        raise ProofFailed("bad_secret", "The server's secret doesn't match the hash published before the match.")
    return secret


def check_terms(terms: Terms) -> None:
    if not MATCH_ID.fullmatch(terms.match):
        raise bad_terms("the match ID is invalid")
    if not fairness.TIME.fullmatch(terms.started_at):
        raise bad_terms("the start time is invalid")
    positions = [player.position for player in terms.players]
    if positions != sorted(set(positions)) or not all(0 < position < TOO_LARGE for position in positions):
        raise bad_terms("the players' positions aren't in order")
    for player in terms.players:
        check_contribution(terms, player)


def check_contribution(terms: Terms, player: Contribution) -> None:
    if not fairness.HASH.fullmatch(player.pseudonym):
        raise bad_terms(f"the pseudonym of position {player.position} is invalid")
    if player.salt is not None and not fairness.SALT.fullmatch(player.salt):
        raise bad_terms(f"the salt of position {player.position} contains invalid characters")
    if (player.commitment is not None) != (terms.salts == "committed" and player.by != "server"):
        quantity = "no" if player.commitment is None else "an unexpected"
        raise bad_terms(f"position {player.position} has {quantity} commitment")
    if player.commitment is None and player.salt is None:
        raise bad_terms(f"position {player.position} has no salt")
    if player.commitment is not None and not fairness.HASH.fullmatch(player.commitment):
        raise bad_terms(f"the commitment of position {player.position} is invalid")
    if None not in (player.commitment, player.salt) and player.commitment != fairness.commitment(
        terms.match, str(player.salt)
    ):
        raise ProofFailed("bad_salt", f"The salt of position {player.position} doesn't match its commitment.")


def bad_terms(why: str) -> ProofFailed:
    return ProofFailed("bad_terms", f"The terms are invalid: {why}.")


def start(proof: Proof, secret: bytes) -> Replay:
    try:
        game = engine(proof.terms.game, proof.terms.rules)
        if canonical(game.read_options(proof.terms.options)) != canonical(proof.terms.options):
            raise bad_terms("some options are missing")
        return Replay(game, proof.terms, secret)
    except UnknownGame as error:
        raise NewerProof(error.code, error.message) from None
    except ProofFailed:
        raise
    except EngineError as error:
        raise ProofFailed("bad_terms", f"No match can start with these terms: {error.message}") from None


def check_seating(proof: Proof, seed: bytes) -> None:
    if list(proof.seating) != fairness.seating(seed, len(proof.terms.players)):
        raise ProofFailed("bad_seating", "The seats aren't those drawn from the seed.")


def replay_move(replay: Replay, number: int, proven: ProvenMove, match: str) -> None:
    game = replay.engine
    before, waiting = replay.turn, replay.sealed
    if proven.turn != before:
        raise failed_move(number, f"it was made on turn {proven.turn}, but the match was on turn {before}")
    if not fairness.TIME.fullmatch(proven.at):
        raise failed_move(number, "its time is invalid")
    if proven.move is not None and is_newer(proven.move, game.moves.schema):
        raise NewerProof("newer_move", f"Move {number} has a schema that only a later version can read.")
    try:
        move = game.on_timeout(replay.state, proven.seat) if proven.move is None else game.read_move(proven.move)
        sealed = game.is_sealed(move)
        if proven.move is not None and canonical(proven.move) != canonical(move):
            raise failed_move(number, "it isn't in canonical form")
        if sealed != proven.sealed or (proven.move is None and not sealed):
            raise failed_move(
                number, "it is wrongly marked as sealed or open, or it is an open move that is kept secret"
            )
        if (proven.by is None) != (proven.move is None):
            raise failed_move(
                number,
                "it names who made it although its content is secret, or names nobody although its content is known",
            )
        check_receipt(game, number, proven, match, move)
        if not replay.play(proven.seat, move, made_move(proven)):
            raise failed_move(number, "it only replaces a sealed move, and a proof must not list replacements")
    except ProofFailed:
        raise
    except (EngineError, LookupError, ValueError) as error:
        raise failed_move(number, str(error).rstrip(".")) from None
    check_secrecy(replay, number, proven, waiting, revealed=proven.sealed and replay.turn != before)


def made_move(proven: ProvenMove) -> MadeMove:
    """Convert a move in a proof to the form recorded in the chain.

    An unknown sealed move never takes effect, so neither its receipt nor its seat is recorded.
    """
    receipt = (proven.receipt or "") if proven.sealed else None
    return MadeMove(proven.at, proven.by or "player", proven.move, receipt, proven.seat, proven.turn)


def is_newer(record: dict[str, Any], schema: int) -> bool:
    said = record.get("schema", FIRST_SCHEMA)
    return isinstance(said, int) and said > schema


def check_secrecy(
    replay: Replay, number: int, proven: ProvenMove, waiting: tuple[Reveal, ...], *, revealed: bool
) -> None:
    """Check that the content of a sealed move is known if, and only if, it takes effect.

    Otherwise, it must have no receipt.
    """
    if revealed and (proven.move is None or not all(sealed.receipt for sealed in waiting)):
        raise failed_move(number, "a sealed move that took effect is missing from the proof")
    if not revealed and any(sealed.receipt for sealed in waiting if sealed not in replay.sealed):
        raise failed_move(number, "it reveals a sealed move that never took effect and should have stayed secret")


def check_receipt(game: AnyEngine, number: int, proven: ProvenMove, match: str, move: Any) -> None:
    if not proven.sealed or proven.move is None:
        if proven.receipt is not None or proven.nonce is not None:
            raise failed_move(number, "it has a receipt, but isn't a revealed sealed move")
        return
    if not NONCE.fullmatch(proven.nonce or ""):
        raise failed_move(number, "its nonce isn't 16 bytes in lower-case hexadecimal")
    shown, whole = canonical(game.revealed(move)), canonical(move)
    expected = receipts.receipt(match, proven.turn, proven.seat, proven.nonce or "", shown, whole)
    if proven.receipt != expected:
        raise failed_move(number, "it doesn't match its receipt")


def failed_move(number: int, why: str) -> ProofFailed:
    return ProofFailed("bad_move", f"Move {number} is invalid: {why}.", number=number)


def proven_event(chained: ChainedEvent) -> ProvenEvent:
    event = msgspec.json.decode(chained.content)
    return ProvenEvent(chained.number, chained.turn, event, chained.audience, chained.hash)


def check_events(replay: Replay, events: tuple[ProvenEvent, ...]) -> None:
    if len(events) != len(replay.events):
        raise ProofFailed(
            "bad_events", f"The moves lead to {len(replay.events)} events, but the proof lists {len(events)}."
        )
    for chained, listed in zip(replay.events, events, strict=True):
        if canonical(proven_event(chained)) != canonical(listed):
            raise ProofFailed(
                "bad_event", f"Event {chained.number} doesn't follow from the moves.", number=chained.number
            )


def check_end(replay: Replay, proof: Proof) -> None:
    end, outcome = proof.end, replay.engine.outcome(replay.state)
    if canonical(outcome) != canonical(proof.outcome):
        raise ProofFailed("bad_outcome", "The result doesn't follow from the moves.")
    seats = list(end.asked_by)
    if (
        (end.reason == "abandoned") != (outcome is None)
        or (seats and end.reason == "finished")
        or seats != sorted(set(seats).intersection(range(len(proof.seating))))
        or end.turn != replay.turn
        or not fairness.TIME.fullmatch(end.at)
    ):
        raise ProofFailed("bad_end", "The end doesn't follow from the moves.")
    if any(sealed.receipt for sealed in replay.sealed):
        raise ProofFailed("bad_end", "A sealed move that was pending at the end should have stayed secret.")
    if proof.head != fairness.link(replay.chain.head, fairness.end_leaf(end)):
        raise ProofFailed("bad_head", "The last hash of the chain is wrong.")


def checks_of(proof: Proof) -> tuple[str, ...]:
    revealed = sum(move.receipt is not None for move in proof.moves)
    sealed = f"Every sealed move matches its receipt ({counted(revealed, 'receipt')})."
    return (
        "The server's secret matches its hash.",
        f"The secret and {counted(len(proof.terms.players), 'salt')} give the seed, and the seats were drawn from it.",
        f"Every move is legal, and together they lead to the result ({counted(len(proof.moves), 'move')}).",
        f"Every event follows from the moves, and the hash chain is intact ({counted(len(proof.events), 'event')}).",
        sealed if revealed else "No move was sealed.",
    )
