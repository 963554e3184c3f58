"""Check the server's signatures in a player's notes, and compare two players' notes."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from cli.local_store import Document
from cli.problems import Refused
from games.engine.text import counted

if TYPE_CHECKING:
    from games.engine.proof import Proof

MOST_HANDOVERS = 100


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
    """Return the server keys that these notes rely on: the key at the start of the match, and earlier and later
    keys."""
    keys, handovers = {str(notes.get("key", ""))}, notes.get("handovers") or []
    while earlier := {one["key"] for one in handovers if one["hands_over_to"] in keys and is_handover(one)} - keys:
        keys |= earlier
    return following_keys(keys, handovers)


def following_keys(keys: Iterable[str], handovers: list[Document]) -> set[str]:
    """Return these keys and all keys that they handed over to."""
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
    """Return the key changes in a server's key document or in a player's notes."""
    entries = document if isinstance(document, list) else []
    names = ("key", "hands_over_to", "signature")
    whole = [one for one in entries if isinstance(one, dict) and all(isinstance(one.get(name), str) for name in names)]
    return [{name: one[name] for name in names} for one in whole[:MOST_HANDOVERS]]


def count_signed(notes: Document, sent_moves: Document) -> tuple[int, int]:
    """Return how many statements in these notes and receipts are signed by the server, and how many there are in
    total."""
    keys = keys_of(notes)
    receipts = [{**sent, "turn": int(turn)} for turn, moves in sent_moves.items() for sent in moves if sent["receipt"]]
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


def compare_notes(own: Document, other: Document) -> str:
    """Describe what two players' notes have in common. Raise Refused if the server has shown them different matches."""
    if own.get("match") != other["match"]:
        raise other_match(other["match"])
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
        agreed = "The notes agree, but the two of you never looked at the match at the same event."
    return " ".join([agreed, *about_keys(other, keys), *about_receipts(other, keys)])


def compare_with_proof(own: Document, other: Document, proof: "Proof", keys: Collection[str]) -> None:
    """Raise Refused if the other player saw hashes that are not in the proof.

    A hash covers everything before it, so the signed hash of the end covers the whole proof.
    """
    hashes = {str(event.number): event.hash for event in proof.events} | {"end": proof.head}
    end = own["heads"].get("end", {})
    is_signed_proof = end.get("head") == proof.head and is_signed_head(own, "end", keys)
    for number, seen in other["heads"].items():
        if hashes.get(number) != seen["head"]:
            up_to = "the end" if number == "end" else f"event {number}"
            raise two_faces(f"matches up to {up_to}", is_signed_proof and is_signed_head(other, number, keys))


def other_match(match_id: str) -> Refused:
    message = f"These notes are about match {match_id}."
    return Refused("other_match", message, "Use notes from the same match.")


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
