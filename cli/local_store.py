"""Store the state of each match on this machine, for offline use, shell completion and checking proofs."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, TypeGuard

from cli.config import write_private
from cli.problems import Usage
from cli.sanitize import printable

Document = dict[str, Any]
"""A JSON object from the server or from a file."""
MATCH_ID = re.compile("[a-z0-9]{1,12}")
MOST_TYPED_LINES = 200
MOST_LISTED = 1000
NOTES: dict[str, type] = {
    "game": str,
    "rules": int,
    "options": dict,
    "key": str,
    "handovers": list,
    "secret_hash": str,
    "secret_signature": str,
    "hash_before_salt": str,
    "salt": str,
    "salts": str,
    "position": int,
    "position_before_salt": int,
    "pseudonym_salt": str,
    "username": str,
    "seat": int,
    "players_before": list,
    "committed": list,
    "other_heads": dict,
    "views": dict,
    "abandon_turn": int,
    "refused": list,
}
"""The types of the notes for checking a proof (cli.fairness_notes)."""


class Recorded(NamedTuple):
    """A client's notes on a match, which are used to check its proof."""

    notes: Document
    sent: Document
    """The moves that the player sent, by turn."""


@dataclass(frozen=True)
class LocalStore:
    """A folder for one user on one server.

    It holds the ID of the current match and, for each match, the last snapshot, notes for checking the proof, the
    moves that were sent, and the unsent move.
    """

    folder: Path
    username: str = ""
    """The username, or an empty string if the token comes from the environment and its user is unknown."""

    @property
    def current(self) -> str:
        """The ID of the match in which `turnpost take 2` is played, or an empty string."""
        return str((read_json(self.current_file) or {}).get("match", ""))

    def set_current(self, match_id: str) -> None:
        write_private(self.current_file, {"match": valid_match_id(match_id)})

    @property
    def server_key(self) -> str:
        """The server's public key as this client first saw it, or an empty string."""
        return str((read_json(self.key_file) or {}).get("key", ""))

    def pin_server_key(self, key: str) -> None:
        write_private(self.key_file, {"key": key})

    def known_matches(self) -> list[Document]:
        """Return the IDs and titles of the matches that were listed or shown earlier."""
        listed = (read_json(self.listed_file) or {}).get("matches")
        known = [one for one in listed if has_fields(one, id=str, title=str)] if isinstance(listed, list) else []
        shown = [{"id": one["match"]["id"], "title": str(one["match"].get("title", ""))} for one in self.snapshots()]
        return list({one["id"]: one for one in [*known, *shown]}.values())

    def remember_matches(self, matches: list[Document]) -> None:
        """Remember the matches on a list, so that the player can refer to them by title or by the start of their ID."""
        before = self.known_matches()
        after = {one["id"]: {"id": one["id"], "title": one["title"]} for one in [*before, *matches]}
        if list(after.values()) != before:
            write_private(self.listed_file, {"matches": list(after.values())[-MOST_LISTED:]})

    def typed_lines(self) -> list[str]:
        """Return the lines that were typed at the prompt, starting with the oldest."""
        typed = (read_json(self.typed_file) or {}).get("lines")
        return [line for line in typed if isinstance(line, str)] if isinstance(typed, list) else []

    def record_typed_line(self, line: str) -> None:
        write_private(self.typed_file, {"lines": [*self.typed_lines(), line][-MOST_TYPED_LINES:]})

    def snapshot(self, match_id: str) -> Document | None:
        """Return the match as it was last shown to the player."""
        return read_snapshot(self.snapshot_file(match_id))

    def snapshots(self) -> list[Document]:
        """Return a snapshot of each match the player has seen, latest first."""
        found = [document for path in (self.folder / "matches").glob("*.json") if (document := read_snapshot(path))]
        return sorted(found, key=lambda document: str(document["seen_at"]), reverse=True)

    def save_snapshot(self, match: Document, choices: Document | None) -> None:
        document = {
            "seen_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "match": match,
            "choices": choices,
        }
        write_private(self.snapshot_file(match["id"]), document)

    def notes(self, match_id: str) -> Document:
        """Return what this client recorded about the fairness of a match, if anything."""
        return read_notes(self.notes_file(match_id)) or {}

    def recorded(self, match_id: str) -> Recorded:
        return Recorded(self.notes(match_id), self.sent_moves(match_id))

    def all_notes(self) -> list[Document]:
        return [notes for path in sorted((self.folder / "notes").glob("*.json")) if (notes := read_notes(path))]

    def save_notes(self, match_id: str, notes: Document) -> None:
        write_private(self.notes_file(match_id), notes)

    def record_turn(self, match_id: str, turn: int) -> None:
        """Record the turn that followed the player's own move.

        They have seen its result, so their next move is for that turn.
        """
        if snapshot := self.snapshot(match_id):
            write_private(self.snapshot_file(match_id), {**snapshot, "answered_turn": turn})

    def last_turn_seen(self, match_id: str) -> int | None:
        snapshot = self.snapshot(match_id)
        if snapshot is None:
            return None
        return max(int(snapshot["match"]["turn"]), int(snapshot.get("answered_turn", 0)))

    def sent_moves(self, match_id: str) -> Document:
        """Return the moves that the player sent, by turn.

        Of several sealed moves on a turn, the one with a receipt comes first, followed by any that the server never
        confirmed. Open moves are marked with `is_open`.
        """
        recorded = read_json(self.sent_file(match_id)) or {}
        return {turn: moves for turn, moves in recorded.items() if is_list_of_sent_moves(moves)}

    def record_sent_moves(self, match_id: str, turn: int, moves: list[Document]) -> None:
        """Replace the moves recorded for this turn. An empty list removes them."""
        before = self.sent_moves(match_id)
        after = {recorded: sent for recorded, sent in before.items() if recorded != str(turn)}
        if moves:
            after[str(turn)] = moves
        if after != before:
            write_private(self.sent_file(match_id), after)

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

    @property
    def listed_file(self) -> Path:
        return self.folder / "listed.json"

    @property
    def typed_file(self) -> Path:
        return self.folder / "typed.json"

    def snapshot_file(self, match_id: str) -> Path:
        return self.folder / "matches" / f"{valid_match_id(match_id)}.json"

    def notes_file(self, match_id: str) -> Path:
        return self.folder / "notes" / f"{valid_match_id(match_id)}.json"

    def sent_file(self, match_id: str) -> Path:
        return self.folder / "sent" / f"{valid_match_id(match_id)}.json"

    def unsent_file(self, match_id: str) -> Path:
        return self.folder / "unsent" / f"{valid_match_id(match_id)}.json"


def valid_match_id(match_id: str) -> str:
    """Check that this is a valid match ID, because IDs become parts of paths and URLs."""
    if not MATCH_ID.fullmatch(match_id):
        raise Usage(
            "no_match_id", f"'{printable(match_id)[:20]}' isn't a match ID.", "List your matches: turnpost matches"
        )
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
    return sound_notes(read_json(path))


def sound_notes(document: object) -> Document | None:
    """Return the notes without entries that have the wrong type. Return None if these aren't notes."""
    if not has_fields(document, match=str, heads=dict):
        return None
    sound: Document = {name: value for name, value in document.items() if isinstance(value, NOTES.get(name, object))}
    heads = sound_heads(document["heads"])
    others = {"other_heads": sound_heads(sound["other_heads"])} if "other_heads" in sound else {}
    views = {number: sound_views(seen) for number, seen in sound.get("views", {}).items()}
    noted: Document = {name: sound[name] for name in ("players_before", "committed") if name in sound}
    shares = {name: [share for share in listed if is_share(share)] for name, listed in noted.items()}
    moves = [one for one in sound.get("refused", []) if has_fields(one, turn=int, move=str)]
    refused = {"refused": moves} if moves else {}
    return sound | {"heads": heads} | others | shares | refused | ({"views": views} if "views" in sound else {})


def sound_heads(heads: Document) -> Document:
    return {number: seen for number, seen in heads.items() if has_fields(seen, turn=int, head=str)}


def sound_views(seen: Any) -> list[Document]:
    return [view for view in seen if has_fields(view, schema=int, hash=str)] if isinstance(seen, list) else []


def read_unsent(path: Path) -> Document | None:
    document = read_json(path)
    return document if has_fields(document, saved_at=str, match=str, move=str, turn=int, key=str) else None


def is_share(recorded: Any) -> bool:
    texts = {"salt": str | None, "commitment": str | None, "by": str, "pseudonym": str}
    return has_fields(recorded, position=int, **texts)


def is_list_of_sent_moves(recorded: Any) -> bool:
    return isinstance(recorded, list) and bool(recorded) and all(is_sent_move(move) for move in recorded)


def is_sent_move(recorded: Any) -> bool:
    return has_fields(recorded, move=str, seat=int, receipt=str | None)


def has_fields(document: Any, **needed: type | UnionType) -> TypeGuard[Document]:
    """Return whether a document has these fields.

    A file may lack them if it was edited by hand or written by another version. Such a file is treated as missing.
    """
    return isinstance(document, dict) and all(
        name in document and isinstance(document[name], kind) for name, kind in needed.items()
    )
