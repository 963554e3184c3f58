"""Judging the proof of a match: by itself, and against what the client noted while the match was played."""

import json
from typing import Any

from cli.kept import Document
from cli.problems import Refused
from cli.session import Session


def judged(document: bytes) -> Any:
    """The verdict on a good proof. Raises Refused for any other, also for one that this client cannot judge."""
    from games.engine.proof import NewerProof, ProofFailed, verify

    try:
        return verify(document)
    except NewerProof as newer:
        hint = "Update it: pip install --upgrade turnpost"
        raise Refused("client_too_old", f"This client is too old to check this match. {newer.message}", hint) from None
    except ProofFailed as failed:
        raise unfair(failed.code, failed.message) from None


def held_against_notes(session: Session, match_id: str, document: bytes) -> list[str]:
    """What was found to agree: nothing was exchanged afterwards. Raises Refused at the first difference."""
    proof = json.loads(document)
    figures = session.kept.figures(match_id)
    sealed = session.kept.sealed(match_id)
    if not figures and not sealed:
        return ["This client noted nothing during the match, so there was nothing to compare."]
    return [*(figures_agree(proof, figures) if figures else ()), *sealed_moves_agree(proof, sealed)]


def figures_agree(proof: Document, figures: Document) -> list[str]:
    if figures["secret_hash"] != proof["terms"]["secret_hash"]:
        raise unfair("other_secret", "This client noted another hash of the server's secret during the match.")
    hashes = {str(event["number"]): event["hash"] for event in proof["events"]}
    for number, head in figures["heads"].items():
        if hashes.get(number) != head:
            raise unfair("other_chain", f"This client noted another chain of events, up to event {number}.")
    return [f"The secret's hash and {len(figures['heads'])} chain heads are those this client noted during the match."]


def sealed_moves_agree(proof: Document, sealed: Document) -> list[str]:
    """Of a turn on which none was revealed, all were taken back or voided."""
    from games.engine.registry import engine

    rules, came_to_bear = engine(proof["terms"]["game"]), 0
    for turn, sent in sealed.items():
        revealed = [move for move in proof["moves"] if move["receipt"] and str(move["turn"]) == turn]
        if revealed and not any(is_as_sent(rules, move, one) for move in revealed for one in sent):
            raise exchanged(turn)
        came_to_bear += bool(revealed)
    told = (
        f"Of your sealed moves {came_to_bear} came to bear: as this client sent them, with the receipts it was given."
    )
    return [told] if came_to_bear else []


def is_as_sent(rules: Any, revealed: Document, sent: Document) -> bool:
    """The receipt alone is not enough: it may have been given for another move from the start."""
    from games.engine.errors import MalformedMove
    from games.engine.records import canonical

    if revealed["seat"] != sent["seat"] or sent["receipt"] not in (None, revealed["receipt"]):
        return False
    try:
        return canonical(rules.parse(sent["move"])) == canonical(revealed["move"])
    except MalformedMove:
        # Words that were taken, and that only a newer client can read, are no sign of anything.
        return sent["receipt"] is not None


def unfair(code: str, message: str) -> Refused:
    return Refused(
        code, f"The proof does not hold. {message}", "Keep it, and ask the server's keeper: turnpost export ID"
    )


def exchanged(turn: str) -> Refused:
    """The player may know a reason that this client cannot know."""
    return Refused(
        "other_move",
        f"What you sealed here on turn {turn} is not what the proof says you sealed.",
        "If you did not change it by mail or on another machine, the server did. Keep both: turnpost export ID",
        turn=int(turn),
    )
