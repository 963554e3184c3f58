"""The state of each match on this machine, for offline use, shell completion and proof checks."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, TypeGuard

from cli.config import write_private
from cli.problems import Usage
from cli.sanitize import printable

Document = dict[str, Any]
"""A JSON object from the server or from a file."""
MATCH_ID = re.compile("[a-z0-9]{1,12}")
NOTES: dict[str, type] = {
    "key": str,
    "handovers": list,
    "secret_hash": str,
    "secret_signature": str,
    "hash_before_salt": str,
    "salt": str,
    "salts": str,
    "position": int,
    "pseudonym_salt": str,
    "username": str,
    "seat": int,
    "players_before": list,
    "committed": list,
}
"""The types of the notes that are recorded for checking a proof (cli.fairness_notes)."""


@dataclass(frozen=True)
class LocalStore:
    """One folder per user and server. It holds the current match's id and, for each match, the last snapshot, notes
    for checking the proof, the sealed moves, and the unsent move."""

    folder: Path
    username: str = ""
    """Empty if unknown, because the token comes from the environment."""

    @property
    def current(self) -> str:
        """The id of the match that `turnpost take 2` plays in, or an empty string."""
        return str((read_json(self.current_file) or {}).get("match", ""))

    def set_current(self, match_id: str) -> None:
        write_private(self.current_file, {"match": valid_match_id(match_id)})

    @property
    def server_key(self) -> str:
        """The server's public key as first seen, or an empty string."""
        return str((read_json(self.key_file) or {}).get("key", ""))

    def pin_server_key(self, key: str) -> None:
        write_private(self.key_file, {"key": key})

    def snapshot(self, match_id: str) -> Document | None:
        """Return the match as it was last shown to the player."""
        return read_snapshot(self.snapshot_file(match_id))

    def snapshots(self) -> list[Document]:
        """Return a snapshot of each match seen before, latest first."""
        found = [document for path in (self.folder / "matches").glob("*.json") if (document := read_snapshot(path))]
        return sorted(found, key=lambda document: str(document["seen_at"]), reverse=True)

    def save_snapshot(self, match: Document, choices: Document | None, etag: str = "") -> None:
        document = {
            "seen_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "etag": etag,
            "match": match,
            "choices": choices,
        }
        write_private(self.snapshot_file(match["id"]), document)

    def notes(self, match_id: str) -> Document:
        """Return what this client recorded about the fairness of a match, if anything."""
        return read_notes(self.notes_file(match_id)) or {}

    def all_notes(self) -> list[Document]:
        return [notes for path in sorted((self.folder / "notes").glob("*.json")) if (notes := read_notes(path))]

    def save_notes(self, match_id: str, notes: Document) -> None:
        write_private(self.notes_file(match_id), notes)

    def record_turn(self, match_id: str, turn: int) -> None:
        """Record the turn after the player's own move. They saw its result, so their next move is for that turn."""
        if snapshot := self.snapshot(match_id):
            write_private(self.snapshot_file(match_id), {**snapshot, "answered_turn": turn})

    def last_turn_seen(self, match_id: str) -> int | None:
        snapshot = self.snapshot(match_id)
        if snapshot is None:
            return None
        return max(int(snapshot["match"]["turn"]), int(snapshot.get("answered_turn", 0)))

    def sealed_moves(self, match_id: str) -> Document:
        """Return the player's sealed moves by turn: the one with a receipt, then any that the server never
        confirmed."""
        recorded = read_json(self.sealed_file(match_id)) or {}
        return {turn: moves for turn, moves in recorded.items() if is_list_of_sealed_moves(moves)}

    def record_sealed_moves(self, match_id: str, turn: int, moves: list[Document]) -> None:
        """Replace the moves recorded for this turn. An empty list removes them."""
        before = self.sealed_moves(match_id)
        after = {recorded: sealed for recorded, sealed in before.items() if recorded != str(turn)}
        if moves:
            after[str(turn)] = moves
        if after != before:
            write_private(self.sealed_file(match_id), after)

    def forget_match(self, match_id: str) -> None:
        self.snapshot_file(match_id).unlink(missing_ok=True)
        self.notes_file(match_id).unlink(missing_ok=True)
        if self.current == match_id:
            self.current_file.unlink()

    def unsent_moves(self) -> list[Document]:
        """Return the moves that couldn't be sent, oldest first."""
        moves = [document for path in (self.folder / "unsent").glob("*.json") if (document := read_unsent(path))]
        return sorted(moves, key=lambda document: str(document["saved_at"]))

    def unsent_move(self, match_id: str) -> Document | None:
        return read_unsent(self.unsent_file(match_id))

    def save_unsent(self, pending: Document) -> None:
        stamped = {"saved_at": datetime.now(UTC).isoformat(timespec="seconds"), **pending}
        write_private(self.unsent_file(pending["match"]), stamped)

    def drop_unsent(self, match_id: str) -> None:
        self.unsent_file(match_id).unlink(missing_ok=True)

    @property
    def current_file(self) -> Path:
        return self.folder / "current.json"

    @property
    def key_file(self) -> Path:
        return self.folder / "key.json"

    def snapshot_file(self, match_id: str) -> Path:
        return self.folder / "matches" / f"{valid_match_id(match_id)}.json"

    def notes_file(self, match_id: str) -> Path:
        return self.folder / "notes" / f"{valid_match_id(match_id)}.json"

    def sealed_file(self, match_id: str) -> Path:
        return self.folder / "sealed" / f"{valid_match_id(match_id)}.json"

    def unsent_file(self, match_id: str) -> Path:
        return self.folder / "unsent" / f"{valid_match_id(match_id)}.json"


def valid_match_id(match_id: str) -> str:
    """Accept only valid match ids, because they become parts of paths and URLs."""
    if not MATCH_ID.fullmatch(match_id):
        raise Usage("no_match_id", f"'{printable(match_id)[:20]}' isn't a match id.", "List yours: turnpost matches")
    return match_id


def read_json(path: Path) -> Document | None:
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def read_snapshot(path: Path) -> Document | None:
    document = read_json(path)
    if not has_fields(document, seen_at=str, match=dict, choices=dict | None):
        return None
    return document if has_fields(document["match"], id=str, turn=int) else None


def read_notes(path: Path) -> Document | None:
    document = read_json(path)
    if not has_fields(document, match=str, heads=dict):
        return None
    sound = {name: value for name, value in document.items() if isinstance(value, NOTES.get(name, object))}
    heads = {number: seen for number, seen in document["heads"].items() if has_fields(seen, turn=int, head=str)}
    return sound | {"heads": heads}


def read_unsent(path: Path) -> Document | None:
    document = read_json(path)
    return document if has_fields(document, saved_at=str, match=str, move=str, turn=int, key=str) else None


def is_list_of_sealed_moves(recorded: Any) -> bool:
    return isinstance(recorded, list) and bool(recorded) and all(is_sealed_move(move) for move in recorded)


def is_sealed_move(recorded: Any) -> bool:
    return has_fields(recorded, move=str, seat=int, receipt=str | None)


def has_fields(document: Any, **needed: type | UnionType) -> TypeGuard[Document]:
    """Return whether a document has these fields. A file that was edited by hand or written by another version may
    lack them; it is then treated as missing."""
    return isinstance(document, dict) and all(
        name in document and isinstance(document[name], kind) for name, kind in needed.items()
    )
