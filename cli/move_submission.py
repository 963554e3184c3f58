"""Submit a move so that it is played at most once, and save it if it can't be sent."""

import secrets

from cli.local_store import Document
from cli.problems import Refused, Stale, Unreachable
from cli.session import Session


def new_idempotency_key() -> str:
    return secrets.token_hex(16)


def pending_move(match_id: str, move: str, turn: int) -> Document:
    """Create a move for this turn, with an idempotency key that makes it safe to resend."""
    return {"match": match_id, "move": move, "turn": turn, "key": new_idempotency_key()}


def submit_move(session: Session, pending: Document) -> Document:
    """Send the move and return the server's response. If there is no response, save the move, which can then be
    resent only on the same turn."""
    match_id = pending["match"]
    body = {"move": pending["move"], "turn": pending["turn"]}
    try:
        response: Document = session.server.post(f"matches/{match_id}/moves", body, key=pending["key"])
    except Unreachable as problem:
        session.store.save_unsent(pending)
        record_unconfirmed(session, pending)
        problem.hint = f"Your move '{pending['move']}' is saved. Resend it: turnpost retry {match_id}"
        raise
    except Stale as problem:
        session.store.drop_unsent(match_id)
        problem.hint = f"See the new board: turnpost board {match_id}"
        raise
    except Refused as problem:
        session.store.drop_unsent(match_id)
        if "turnpost " not in problem.hint and not session.is_demo:
            problem.hint = f"{problem.hint} Your moves: turnpost moves {match_id}".strip()
        raise
    session.store.drop_unsent(match_id)
    session.store.record_turn(match_id, response["turn"])
    record_receipt(session, pending, response["move"])
    return response


def record_receipt(session: Session, pending: Document, played: Document) -> None:
    """Save the receipt for checking the proof. It replaces an earlier one for this turn; a move that isn't sealed
    removes it."""
    sealed = {"move": pending["move"], "seat": played["seat"], "receipt": played["receipt"], "nonce": played["nonce"]}
    sealed["signature"] = played.get("signature")
    session.store.record_sealed_moves(pending["match"], pending["turn"], [sealed] if played["sealed"] else [])


def record_unconfirmed(session: Session, pending: Document) -> None:
    """Record a move that may have arrived. The proof may then show either this move or the one sealed before it."""
    before = session.store.sealed_moves(pending["match"]).get(str(pending["turn"]), [])
    if before:
        sealed = {"move": pending["move"], "seat": before[0]["seat"], "receipt": None}
        session.store.record_sealed_moves(pending["match"], pending["turn"], [*before, sealed])


def preview_move(session: Session, match_id: str, move: str, turn: int) -> Document:
    """Return what the move would do, as far as the player may know, without playing it."""
    preview: Document = session.server.post(
        f"matches/{match_id}/moves", {"move": move, "turn": turn}, key=new_idempotency_key(), dry_run=1
    )
    return preview


def turn_decided_on(session: Session, match_id: str, given: int | None) -> int:
    """Return the turn the player last saw, not the current one. If the match has moved on, they have to look again."""
    if given is not None:
        return given
    seen = session.store.last_turn_seen(match_id)
    if seen is not None:
        return seen
    match: Document = session.server.get(f"matches/{match_id}")
    return int(match["turn"])
