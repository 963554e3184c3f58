"""Check the server's signatures in a player's notes, and compare two players' notes."""

import json
from collections.abc import Collection, Iterable
from typing import Any

from cli.local_store import Document
from cli.problems import Refused
from games.engine.text import counted

MOST_HANDOVERS = 100
SHARED_NOTES = ("match", "key", "handovers", "secret_hash", "secret_signature", "heads")
"""The notes that a player can show to others. They contain no salts and no hidden information."""


def shareable(notes: Document, sealed: Document) -> Document:
    """Return the notes for others, with the signed receipts of past turns. The sealed moves are added once the match
    is over."""
    has_ended = "end" in notes["heads"]
    now = max((seen["turn"] for seen in notes["heads"].values()), default=0)
    names = ("seat", "receipt", "signature", *(("move", "nonce") if has_ended else ()))
    receipts = [
        {"turn": int(turn), **{name: sent[name] for name in names if sent.get(name) is not None}}
        for turn, moves in sealed.items()
        for sent in moves
        if sent["receipt"] and (has_ended or int(turn) < now)
    ]
    return {name: notes[name] for name in SHARED_NOTES if name in notes} | {"receipts": receipts}


def is_signed(keys: Collection[str], statement: bytes, signature: str) -> bool:
    return any(is_signed_with(key, statement, signature) for key in keys)


def is_signed_with(key: str, statement: bytes, signature: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
    except (TypeError, ValueError, InvalidSignature):
        return False
    return True


def keys_of(notes: Document) -> set[str]:
    """Return the server's keys that these notes rely on: the one that the match began with, and those before and
    after it."""
    keys, handovers = {str(notes.get("key", ""))}, notes.get("handovers") or []
    while earlier := {one["key"] for one in handovers if one["hands_over_to"] in keys and is_handover(one)} - keys:
        keys |= earlier
    return following_keys(keys, handovers)


def following_keys(keys: Iterable[str], handovers: list[Document]) -> set[str]:
    """Return these keys, and all keys that they handed over to."""
    known = set(keys)
    while later := {one["hands_over_to"] for one in handovers if one["key"] in known and is_handover(one)} - known:
        known |= later
    return known


def is_handed_over(pinned: str, notes: Document) -> bool:
    """Return whether the pinned key, if there is one, has handed over to the key that the match began with."""
    return not pinned or str(notes.get("key", "")) in following_keys({pinned}, notes.get("handovers") or [])


def is_handover(entry: Document) -> bool:
    from games.engine.fairness import statement

    return is_signed_with(entry["key"], statement("key", key=entry["hands_over_to"]), entry["signature"])


def handovers_in(document: Any) -> list[Document]:
    """Return the key changes that a server publishes, or that a player's notes contain."""
    entries = document if isinstance(document, list) else []
    names = ("key", "hands_over_to", "signature")
    whole = [one for one in entries if isinstance(one, dict) and all(isinstance(one.get(name), str) for name in names)]
    return [{name: one[name] for name in names} for one in whole[:MOST_HANDOVERS]]


def count_signed(notes: Document, sealed: Document) -> tuple[int, int]:
    """Return how many statements in these notes and receipts the server has signed, and how many there are."""
    keys = keys_of(notes)
    receipts = [{**sent, "turn": int(turn)} for turn, moves in sealed.items() for sent in moves if sent["receipt"]]
    signed = sum(is_signed_receipt(notes["match"], sent, keys) for sent in receipts)
    signed += "secret_hash" in notes and is_signed_secret(notes, keys)
    signed += sum(is_signed_head(notes, number, keys) for number in notes["heads"])
    return signed, len(receipts) + len(notes["heads"]) + ("secret_hash" in notes)


def is_signed_receipt(match_id: str, sent: Document, keys: Collection[str]) -> bool:
    from games.engine.fairness import receipt_statement

    statement = receipt_statement(match_id, sent["turn"], sent["seat"], sent["receipt"])
    return is_signed(keys, statement, str(sent.get("signature") or ""))


def is_signed_head(notes: Document, number: str, keys: Collection[str]) -> bool:
    from games.engine.fairness import head_statement

    seen = notes["heads"][number]
    if number not in ("end", str(seen.get("events"))):
        return False
    try:
        statement = head_statement(notes["match"], seen["turn"], seen["events"], seen["head"], ended=number == "end")
    except KeyError:
        return False
    return is_signed(keys, statement, str(seen.get("signature", "")))


def is_signed_secret(notes: Document, keys: Collection[str]) -> bool:
    from games.engine.fairness import secret_statement

    statement = secret_statement(notes["match"], str(notes.get("secret_hash", "")))
    return is_signed(keys, statement, str(notes.get("secret_signature", "")))


def read_notes(document: bytes) -> Document:
    try:
        notes = json.loads(document)
        heads = {number: seen for number, seen in notes["heads"].items() if isinstance(seen["head"], str)}
        receipts = [sent for sent in notes.get("receipts") or [] if is_receipt(sent)]
        known = {"match": str(notes["match"]), "heads": heads, "receipts": receipts}
        return {**notes, **known, "handovers": handovers_in(notes.get("handovers"))}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "Get them from the other player: turnpost verify ID --save-notes FILE"
        raise Refused("no_notes", "This file doesn't contain a player's notes.", hint) from None


def is_receipt(sent: Document) -> bool:
    return isinstance(sent["receipt"], str) and type(sent["turn"]) is int and type(sent["seat"]) is int


def compare_notes(own: Document, other: Document) -> str:
    """Say what two players' notes have in common. Raises Refused if the server has shown them different matches."""
    if own.get("match") != other["match"]:
        message = f"These notes are about match {other['match']}."
        raise Refused("other_match", message, "Ask for the notes of the same match.")
    keys = following_keys(keys_of(own), other["handovers"])
    if own.get("secret_hash") != other.get("secret_hash"):
        raise two_faces("hashes of its secret", is_signed_secret(own, keys) and is_signed_secret(other, keys))
    common = [number for number in own["heads"] if number in other["heads"]]
    for number in common:
        if own["heads"][number]["head"] != other["heads"][number]["head"]:
            up_to = "the end" if number == "end" else f"event {number}"
            signed = is_signed_head(own, number, keys) and is_signed_head(other, number, keys)
            raise two_faces(f"matches up to {up_to}", signed)
    agreed = f"The notes agree on all {counted(len(common), 'position')} that both contain."
    if not common:
        agreed = "The notes agree, but you never looked at the match at the same point."
    return " ".join([agreed, *about_keys(other, keys), *about_receipts(other, keys)])


def about_keys(other: Document, keys: Collection[str]) -> list[str]:
    if str(other.get("key", "")) in keys:
        return []
    return ["However, you saw different server keys. Check that one of them signed the change to the other."]


def about_receipts(other: Document, keys: Collection[str]) -> list[str]:
    receipts = other["receipts"]
    if not receipts:
        return []
    signed = sum(is_signed_receipt(other["match"], sent, keys) for sent in receipts)
    shown = f"The other player has {counted(len(receipts), 'receipt')}"
    return [f"{shown}, all signed by the server." if signed == len(receipts) else f"{shown}, {signed} of them signed."]


def two_faces(what: str, proven: bool) -> Refused:
    evidence = (
        "Both are signed by the server, which proves misconduct."
        if proven
        else "They aren't both signed by the server, so one of the files may be forged."
    )
    message = f"The server showed you and the other player different {what}. {evidence}"
    return Refused("different_notes", message, "Keep both files and show them to the other players.", proven=proven)
