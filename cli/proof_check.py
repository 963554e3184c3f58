"""Check the proof of a match: by itself, and against what this client recorded while the match was played."""

import json
from typing import Any

from cli.local_store import Document
from cli.problems import UPDATE, Refused
from cli.session import Session
from games.engine.text import counted


def verify_proof(document: bytes) -> Any:
    """What a valid proof shows. Raises Refused if it is invalid or needs a newer client."""
    from games.engine.proof import NewerProof, ProofFailed, verify

    try:
        return verify(document)
    except NewerProof as newer:
        raise Refused("client_too_old", f"This client is too old to check it. {newer.message}", UPDATE) from None
    except ProofFailed as failed:
        raise invalid_proof(failed.code, failed.message) from None


def compare_with_records(session: Session, match_id: str, document: bytes) -> list[str]:
    """What matches this client's records. Raises Refused at the first difference."""
    proof = json.loads(document)
    published = session.store.published_hashes(match_id)
    sealed = session.store.sealed_moves(match_id)
    if not published and not sealed:
        return ["This client recorded nothing during the match, so there is nothing to compare."]
    return [*(check_hashes(proof, published) if published else ()), *check_sealed_moves(proof, sealed)]


def check_hashes(proof: Document, published: Document) -> list[str]:
    if published["secret_hash"] != proof["terms"]["secret_hash"]:
        raise invalid_proof("other_secret", "This client recorded a different hash of the server's secret.")
    hashes = {str(event["number"]): event["hash"] for event in proof["events"]}
    for number, head in published["heads"].items():
        if hashes.get(number) != head:
            raise invalid_proof("other_chain", f"This client recorded other events, up to event {number}.")
    return [f"The secret's hash and {counted(len(published['heads']), 'chain head')} match what this client recorded."]


def check_sealed_moves(proof: Document, sealed: Document) -> list[str]:
    """A turn without a revealed move is fine: its moves were taken back or voided."""
    from games.engine.registry import engine

    rules, confirmed = engine(proof["terms"]["game"]), 0
    for turn, sent in sealed.items():
        revealed = [move for move in proof["moves"] if move["receipt"] and str(move["turn"]) == turn]
        if revealed and not any(is_the_same(rules, move, one) for move in revealed for one in sent):
            raise other_sealed_move(turn)
        confirmed += bool(revealed)
    if not confirmed:
        return []
    moves = "sealed move matches" if confirmed == 1 else f"{confirmed} sealed moves match"
    return [f"Your {moves} what this client sent."]


def is_the_same(rules: Any, revealed: Document, sent: Document) -> bool:
    """The receipt alone is not enough: the server may have issued it for another move."""
    from games.engine.errors import MalformedMove
    from games.engine.records import canonical

    if revealed["seat"] != sent["seat"] or sent["receipt"] not in (None, revealed["receipt"]):
        return False
    try:
        return canonical(rules.parse(sent["move"])) == canonical(revealed["move"])
    except MalformedMove:
        # The server accepted a notation that only a newer client can parse, which proves nothing.
        return sent["receipt"] is not None


def invalid_proof(code: str, message: str) -> Refused:
    return Refused(code, f"The proof is invalid. {message}", "Save it and contact the operator: turnpost export ID")


def other_sealed_move(turn: str) -> Refused:
    """Only the player knows whether they changed the move elsewhere."""
    return Refused(
        "other_move",
        f"The move you sealed on turn {turn} isn't the one in the proof.",
        "If you didn't change it by mail or on another machine, the server did. Save the evidence: turnpost export ID",
        turn=int(turn),
    )
