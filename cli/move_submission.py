"""Submit a move so that it is played at most once, and save it if it can't be sent."""

import secrets

from cli.local_store import Document
from cli.problems import Refused, Stale, Unreachable
from cli.session import Session

OTHER_REASONS = ("no_such_match", "not_running", "not_your_match", "resigned", "stand_in_plays")
"""Codes of refusals that have nothing to do with the rules of the game."""


def new_idempotency_key() -> str:
    return secrets.token_hex(16)


def pending_move(match_id: str, move: str, turn: int) -> Document:
    """Create a move for this turn. Its idempotency key makes it safe to resend."""
    return {"match": match_id, "move": move, "turn": turn, "key": new_idempotency_key()}


def submit_move(session: Session, pending: Document) -> Document:
    """Send the move and return the server's response.

    If there is no response, save the move. A saved move can be resent only on the same turn.
    """
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
        record_refused(session, pending, problem)
        if "turnpost " not in problem.hint and not session.is_demo:
            problem.hint = f"{problem.hint} Your moves: turnpost moves {match_id}".strip()
        raise
    session.store.drop_unsent(match_id)
    session.store.record_turn(match_id, response["turn"])
    record_sent(session, pending, response["move"])
    return response


def record_sent(session: Session, pending: Document, played: Document) -> None:
    """Save the move, with its receipt if it is sealed, for checking the proof.

    It replaces any sealed move that was sent earlier on this turn.
    """
    sent = {"move": pending["move"], "seat": played["seat"], "receipt": played["receipt"]}
    if played["sealed"]:
        sent |= {"nonce": played["nonce"], "signature": played.get("signature")}
    else:
        sent["is_open"] = True
    earlier = [one for one in sent_on_turn(session, pending) if one.get("is_open")]
    session.store.record_sent_moves(pending["match"], pending["turn"], [sent, *earlier])


def record_unconfirmed(session: Session, pending: Document) -> None:
    """Record a move that may have reached the server.

    The proof may then show either this move or the one that was sealed earlier.
    """
    before = sent_on_turn(session, pending)
    seat = before[0]["seat"] if before else session.store.notes(pending["match"]).get("seat")
    if seat is not None:
        sent = {"move": pending["move"], "seat": seat, "receipt": None}
        session.store.record_sent_moves(pending["match"], pending["turn"], [*before, sent])


def record_refused(session: Session, pending: Document, problem: Refused) -> None:
    """Record a move that, according to the server, the rules don't allow."""
    if problem.code in OTHER_REASONS:
        return
    notes = {"match": pending["match"], "heads": {}, **session.store.notes(pending["match"])}
    refused = {"turn": pending["turn"], "move": pending["move"]}
    if refused not in notes.get("refused", []):
        session.store.save_notes(pending["match"], notes | {"refused": [*notes.get("refused", []), refused]})


def sent_on_turn(session: Session, pending: Document) -> list[Document]:
    return list(session.store.sent_moves(pending["match"]).get(str(pending["turn"]), []))


def preview_move(session: Session, match_id: str, move: str, turn: int) -> Document:
    """Return what the move would do, without playing it or revealing anything hidden from the player."""
    pending = pending_move(match_id, move, turn)
    body = {"move": move, "turn": turn}
    try:
        preview: Document = session.server.post(f"matches/{match_id}/moves", body, key=pending["key"], dry_run=1)
    except Refused as problem:
        record_refused(session, pending, problem)
        raise
    return preview
