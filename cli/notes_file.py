"""Read and write files with a player's notes.

Players save such a file for another player, or save their own in a browser to check the match here.
"""

import json
from dataclasses import dataclass

from cli.local_store import Document, Recorded, has_fields, is_sent_move, sound_notes
from cli.problems import Refused
from cli.signature_check import handovers_in, other_match

SHARED_NOTES = ("match", "key", "handovers", "secret_hash", "secret_signature", "heads")
"""The notes that a player can show to others. They contain no salts and no hidden information."""


@dataclass(frozen=True)
class NotesFile:
    """The player's own notes, read from a file."""

    content: Recorded

    @property
    def match_id(self) -> str:
        return str(self.content.notes["match"])

    def recorded(self, match_id: str) -> Recorded:
        if match_id != self.match_id:
            raise other_match(self.match_id)
        return self.content


def own_notes(document: bytes) -> NotesFile:
    """Read the player's own notes. Notes from a browser contain everything that this client would have recorded."""
    notes = read(document, "Save them in your browser: open the match, then 'Is this match fair?'")
    sent_moves: dict[str, list[Document]] = {}
    for sent in notes["receipts"]:
        if is_sent_move({"receipt": None, **sent}):
            sent_moves.setdefault(str(sent["turn"]), []).append({"receipt": None, **sent})
    return NotesFile(Recorded(notes, sent_moves))


def others_notes(document: bytes) -> Document:
    """Read another player's notes, ignoring everything that is private to them."""
    notes = read(document, "Get them from the other player: turnpost verify ID --save-notes FILE")
    return notes | {"receipts": [sent for sent in notes["receipts"] if isinstance(sent.get("receipt"), str)]}


def read(document: bytes, hint: str) -> Document:
    try:
        notes = sound_notes(json.loads(document))
    except (ValueError, RecursionError):
        notes = None
    receipts = (notes or {}).get("receipts", [])
    if notes is None or not isinstance(receipts, list) or not all(map(is_receipt, receipts)):
        raise Refused("no_notes", "This file doesn't contain a player's notes.", hint)
    return {**notes, "receipts": receipts, "handovers": handovers_in(notes.get("handovers"))}


def is_receipt(sent: object) -> bool:
    """Return whether this is a receipt. A browser doesn't know the receipt of a move that completed a round."""
    return has_fields(sent, turn=int, seat=int)


def shareable(recorded: Recorded) -> Document:
    """Return the notes for other players, with the signed receipts of past turns.

    The sealed moves are included once the match is over.
    """
    notes, sent_moves = recorded
    has_ended = "end" in notes["heads"]
    now = max((seen["turn"] for seen in notes["heads"].values()), default=0)
    names = ("seat", "receipt", "signature", *(("move", "nonce") if has_ended else ()))
    receipts = [
        {"turn": int(turn), **{name: sent[name] for name in names if sent.get(name) is not None}}
        for turn, moves in sent_moves.items()
        for sent in moves
        if sent["receipt"] and (has_ended or int(turn) < now)
    ]
    return {name: notes[name] for name in SHARED_NOTES if name in notes} | {"receipts": receipts}
