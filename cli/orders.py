"""Sending a move so that it is played once or not at all, and kept when it could not be sent."""

import secrets
from typing import Any

from cli.look import Document
from cli.problems import Refused, Stale, Unreachable
from cli.session import Session


def new_key() -> str:
    return secrets.token_hex(16)


def order(match_id: str, move: str, turn: int) -> Document:
    """A move on its way: decided on this turn, with the key that lets it be sent again safely."""
    return {"match": match_id, "move": move, "turn": turn, "key": new_key()}


def send(session: Session, decided: Document) -> Document:
    """The server's answer. A move whose answer never came is kept, to be offered again on the same turn only."""
    match_id = decided["match"]
    body = {"move": decided["move"], "turn": decided["turn"]}
    try:
        answer: Document = session.server.post(f"matches/{match_id}/moves", body, key=decided["key"])
    except Unreachable as problem:
        session.kept.keep_unsent(decided)
        note_unanswered(session, decided)
        problem.hint = f"Your move '{decided['move']}' is kept. Send it again: turnpost retry {match_id}"
        raise
    except Stale as problem:
        session.kept.drop_unsent(match_id)
        problem.hint = f"See what happened, and decide again: turnpost board {match_id}"
        raise
    except Refused as problem:
        session.kept.drop_unsent(match_id)
        if "turnpost " not in problem.hint:
            problem.hint = f"{problem.hint} All that you may do: turnpost moves {match_id}".strip()
        raise
    session.kept.drop_unsent(match_id)
    session.kept.note_answer(match_id, answer["turn"])
    note_receipt(session, decided, answer["move"])
    return answer


def note_receipt(session: Session, decided: Document, made: Document) -> None:
    """For the proof. It replaces that of an earlier move on this turn; an open move takes back what was sealed."""
    noted = {"move": decided["move"], "seat": made["seat"], "receipt": made["receipt"]}
    session.kept.note_sealed(decided["match"], decided["turn"], [noted] if made["sealed"] else [])


def note_unanswered(session: Session, decided: Document) -> None:
    """The move may have arrived: from now on it can be this one, or the one sealed before, that comes to bear."""
    before = session.kept.sealed(decided["match"]).get(str(decided["turn"]), [])
    if before:
        noted = {"move": decided["move"], "seat": before[0]["seat"], "receipt": None}
        session.kept.note_sealed(decided["match"], decided["turn"], [*before, noted])


def preview(session: Session, match_id: str, move: str, turn: int) -> Document:
    """What the move would do, as far as the player may know; nothing is played."""
    would: Document = session.server.post(
        f"matches/{match_id}/moves", {"move": move, "turn": turn}, key=new_key(), dry_run=1
    )
    return would


def turn_decided_on(session: Session, match_id: str, given: int | None) -> int:
    """The turn the player has seen, not the present one: if the match has moved on, they must look again."""
    if given is not None:
        return given
    seen = session.kept.turn_seen(match_id)
    if seen is not None:
        return seen
    present: dict[str, Any] = session.server.get(f"matches/{match_id}")
    return int(present["turn"])
