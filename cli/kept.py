"""What the player has seen, kept for times without a network, for shell completion and for checking proofs."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, TypeGuard

from cli.config import write_private
from cli.problems import Usage
from cli.safe import printable

Document = dict[str, Any]
ID = re.compile("[a-z0-9]{1,12}")


@dataclass(frozen=True)
class Kept:
    """A folder for each player on each server: which match is the current one, and a file for each match last seen,
    for what was sealed in it, and for each move not yet sent."""

    folder: Path

    @property
    def current(self) -> str:
        """The match that short orders such as `turnpost take 2` are for; empty if there is none."""
        return str((read(self.current_file) or {}).get("match", ""))

    def make_current(self, match_id: str) -> None:
        write_private(self.current_file, {"match": proper_id(match_id)})

    def match(self, match_id: str) -> Document | None:
        return read_seen(self.seen_file(match_id))

    def matches(self) -> list[Document]:
        """All that were seen, the latest first."""
        seen = [document for path in (self.folder / "matches").glob("*.json") if (document := read_seen(path))]
        return sorted(seen, key=lambda document: str(document["seen_at"]), reverse=True)

    def keep_match(self, match: Document, choices: Document | None, etag: str = "") -> None:
        document = {
            "seen_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "etag": etag,
            "match": match,
            "choices": choices,
            "noted": noted(self.figures(match["id"]), match.get("fairness") or {}),
        }
        write_private(self.seen_file(match["id"]), document)

    def figures(self, match_id: str) -> Document | None:
        """What was published during the match, as it was noted then."""
        figures = (self.match(match_id) or {}).get("noted")
        return figures if has(figures, secret_hash=str | None, heads=dict) else None

    def note_answer(self, match_id: str, turn: int) -> None:
        """A move was answered with the turn that it led to: who has read that answer decides the next one on it."""
        if seen := self.match(match_id):
            write_private(self.seen_file(match_id), {**seen, "answered_turn": turn})

    def turn_seen(self, match_id: str) -> int | None:
        """The latest turn that the player was shown or told of."""
        seen = self.match(match_id)
        return max(int(seen["match"]["turn"]), int(seen.get("answered_turn", 0))) if seen else None

    def sealed(self, match_id: str) -> Document:
        """By turn: the move that the player sealed, with its receipt; behind it those whose answer never came."""
        noted = read(self.sealed_file(match_id)) or {}
        return {turn: moves for turn, moves in noted.items() if is_list_of_moves(moves)}

    def note_sealed(self, match_id: str, turn: int, moves: list[Document]) -> None:
        """In place of what was noted for that turn before; without any moves, nothing is sealed any more."""
        before = self.sealed(match_id)
        after = {noted: sealed for noted, sealed in before.items() if noted != str(turn)}
        if moves:
            after[str(turn)] = moves
        if after != before:
            write_private(self.sealed_file(match_id), after)

    def forget_match(self, match_id: str) -> None:
        self.seen_file(match_id).unlink(missing_ok=True)
        if self.current == match_id:
            self.current_file.unlink()

    def unsent(self) -> list[Document]:
        """The moves that could not be sent, oldest first."""
        moves = [document for path in (self.folder / "unsent").glob("*.json") if (document := read_unsent(path))]
        return sorted(moves, key=lambda document: str(document["kept_at"]))

    def unsent_for(self, match_id: str) -> Document | None:
        return read_unsent(self.unsent_file(match_id))

    def keep_unsent(self, order: Document) -> None:
        stamped = {"kept_at": datetime.now(UTC).isoformat(timespec="seconds"), **order}
        write_private(self.unsent_file(order["match"]), stamped)

    def drop_unsent(self, match_id: str) -> None:
        self.unsent_file(match_id).unlink(missing_ok=True)

    @property
    def current_file(self) -> Path:
        return self.folder / "current.json"

    def seen_file(self, match_id: str) -> Path:
        return self.folder / "matches" / f"{proper_id(match_id)}.json"

    def sealed_file(self, match_id: str) -> Path:
        return self.folder / "sealed" / f"{proper_id(match_id)}.json"

    def unsent_file(self, match_id: str) -> Path:
        return self.folder / "unsent" / f"{proper_id(match_id)}.json"


def proper_id(match_id: str) -> str:
    """The id, if it is one: ids come from servers and from shells, and become parts of paths and addresses."""
    if not ID.fullmatch(match_id):
        raise Usage("no_match_id", f"'{printable(match_id)[:20]}' is no match's id.", "List yours: turnpost matches")
    return match_id


def read(path: Path) -> Document | None:
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def read_seen(path: Path) -> Document | None:
    document = read(path)
    if not has(document, seen_at=str, match=dict, choices=dict | None):
        return None
    return document if has(document["match"], id=str, turn=int) else None


def read_unsent(path: Path) -> Document | None:
    document = read(path)
    return document if has(document, kept_at=str, match=str, move=str, turn=int, key=str) else None


def is_list_of_moves(noted: Any) -> bool:
    return isinstance(noted, list) and bool(noted) and all(is_noted_move(move) for move in noted)


def is_noted_move(noted: Any) -> bool:
    return has(noted, move=str, seat=int, receipt=str | None)


def has(document: Any, **needed: type | UnionType) -> TypeGuard[Document]:
    """Whether these are in it. A file that a hand or another version has changed counts as never written."""
    return isinstance(document, dict) and all(
        name in document and isinstance(document[name], kind) for name, kind in needed.items()
    )


def noted(earlier: Document | None, fairness: Document) -> Document:
    """Figures published during the match, as first seen: what the proof is held against in the end."""
    notes = earlier or {"secret_hash": fairness.get("secret_hash"), "heads": {}}
    heads = dict(notes["heads"])
    if fairness.get("head"):
        heads.setdefault(str(fairness["events"]), fairness["head"])
    return {**notes, "secret_hash": notes["secret_hash"] or fairness.get("secret_hash"), "heads": heads}
