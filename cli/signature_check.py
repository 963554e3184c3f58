"""Check the server's signatures in a player's notes, and compare two players' notes."""

import json
from typing import Any

from cli.local_store import Document
from cli.problems import Refused
from games.engine.text import counted

SHARED_NOTES = ("match", "key", "secret_hash", "secret_signature", "heads")
"""The notes that a player can show to others. They contain no salts and no hidden information."""


def shareable(notes: Document) -> Document:
    return {name: notes[name] for name in SHARED_NOTES if name in notes}


def is_signed(key: str, statement: bytes, signature: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (TypeError, ValueError, InvalidSignature):
        return False
    return True


def count_signed(notes: Document, sealed: Document) -> tuple[int, int]:
    """Return how many statements in these notes and receipts the server has signed, and how many there are."""
    from games.engine.fairness import secret_statement

    key, signed = str(notes.get("key", "")), 0
    receipts = [(turn, sent) for turn, moves in sealed.items() for sent in moves if sent["receipt"]]
    signed += sum(is_signed_receipt(notes, turn, sent) for turn, sent in receipts)
    if "secret_hash" in notes:
        statement = secret_statement(notes["match"], notes["secret_hash"])
        signed += is_signed(key, statement, str(notes.get("secret_signature", "")))
    signed += sum(is_signed_head(notes, number) for number in notes["heads"])
    return signed, len(receipts) + len(notes["heads"]) + ("secret_hash" in notes)


def is_signed_receipt(notes: Document, turn: str, sent: Document) -> bool:
    from games.engine.fairness import receipt_statement

    statement = receipt_statement(notes["match"], int(turn), sent["seat"], sent["receipt"])
    return is_signed(str(notes.get("key", "")), statement, str(sent.get("signature") or ""))


def is_signed_head(notes: Document, number: str) -> bool:
    from games.engine.fairness import head_statement

    seen = notes["heads"][number]
    if number not in ("end", str(seen.get("events"))):
        return False
    try:
        statement = head_statement(notes["match"], seen["turn"], seen["events"], seen["head"], ended=number == "end")
    except KeyError:
        return False
    return is_signed(str(notes.get("key", "")), statement, str(seen.get("signature", "")))


def is_handed_over(document: Any, pinned: str, key: str) -> bool:
    """Return whether a chain of signed key changes leads from the pinned key to this one."""
    from games.engine.fairness import statement

    try:
        following = {entry["key"]: (entry["hands_over_to"], entry["signature"]) for entry in document["earlier"]}
    except (KeyError, TypeError):
        return False
    while pinned != key:
        if pinned not in following:
            return False
        to, signature = following.pop(pinned)
        if not is_signed(pinned, statement("key", key=to), signature):
            return False
        pinned = to
    return True


def read_notes(document: bytes) -> Document:
    try:
        notes = json.loads(document)
        heads = {number: seen for number, seen in notes["heads"].items() if isinstance(seen["head"], str)}
        return {**notes, "match": str(notes["match"]), "heads": heads}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "Get them from the other player: turnpost verify ID --save-notes FILE"
        raise Refused("no_notes", "This file doesn't contain a player's notes.", hint) from None


def compare_notes(own: Document, other: Document) -> str:
    """Say what two players' notes have in common. Raises Refused if the server has shown them different matches."""
    if own.get("match") != other["match"]:
        message = f"These notes are about match {other['match']}."
        raise Refused("other_match", message, "Ask for the notes of the same match.")
    same_key = own.get("key") == other.get("key")
    if own.get("secret_hash") != other.get("secret_hash"):
        raise two_faces("hashes of its secret", same_key and is_signed_secret(own) and is_signed_secret(other))
    common = [number for number in own["heads"] if number in other["heads"]]
    for number in common:
        if own["heads"][number]["head"] != other["heads"][number]["head"]:
            up_to = "the end" if number == "end" else f"event {number}"
            signed = is_signed_head(own, number) and is_signed_head(other, number)
            raise two_faces(f"matches up to {up_to}", same_key and signed)
    if not common:
        return "The notes agree, but you never looked at the match at the same point."
    agreed = f"The notes agree: you both saw the same match at {counted(len(common), 'point')}."
    if same_key:
        return agreed
    return f"{agreed} However, you saw different server keys. Check that one of them signed the change to the other."


def is_signed_secret(notes: Document) -> bool:
    from games.engine.fairness import secret_statement

    statement = secret_statement(notes["match"], str(notes.get("secret_hash", "")))
    return is_signed(str(notes.get("key", "")), statement, str(notes.get("secret_signature", "")))


def two_faces(what: str, proven: bool) -> Refused:
    evidence = (
        "Both are signed by the server, which proves misconduct."
        if proven
        else "They aren't both signed by the server, so one of the files may be forged."
    )
    message = f"The server showed you and the other player different {what}. {evidence}"
    return Refused("different_notes", message, "Keep both files and show them to the other players.", proven=proven)
