"""Receipts, which players get when they seal a move, and which others check after the reveal.

docs/fairness.md has the exact definitions, so that anyone can write their own checker.
"""

import hmac
from hashlib import sha256
from typing import Any

import msgspec

from games.engine.records import Record, canonical


class Opening(Record, frozen=True):
    """A receipt after the reveal, with the part of the move that was revealed and the values needed to check it."""

    turn: int
    seat: int
    shown: dict[str, Any]
    nonce: str
    kept: str
    receipt: str


def receipt(match: str, turn: int, seat: int, nonce: str, shown: bytes, whole: bytes) -> str:
    """Commit to a sealed move. The receipt reveals nothing about the move and matches no other move.

    It binds the whole move and, separately, the part that the reveal shows. Others can therefore check that part
    immediately, while the rest, such as a plan for later, stays hidden until the match is over.
    """
    return sealed_by(match, turn, seat, leaf(shown_nonce(nonce), shown), kept_leaf(nonce, whole))


def opening(match: str, turn: int, seat: int, nonce: str, shown: bytes, whole: bytes) -> Opening:
    return Opening(
        turn,
        seat,
        msgspec.json.decode(shown),
        shown_nonce(nonce),
        kept_leaf(nonce, whole),
        receipt(match, turn, seat, nonce, shown, whole),
    )


def opens(match: str, opened: Opening) -> bool:
    """Return whether the receipt matches the revealed part of the move."""
    shown = canonical(opened.shown)
    expected = sealed_by(match, opened.turn, opened.seat, leaf(opened.nonce, shown), opened.kept)
    return hmac.compare_digest(expected, opened.receipt)


def sealed_by(match: str, turn: int, seat: int, shown: str, kept: str) -> str:
    return digest(b"turnpost receipt 2\n", match.encode(), b"%d" % turn, b"%d" % seat, shown.encode(), kept.encode())


def shown_nonce(nonce: str) -> str:
    return digest(b"turnpost shown nonce 2\n", nonce.encode())


def kept_leaf(nonce: str, whole: bytes) -> str:
    return leaf(digest(b"turnpost kept nonce 2\n", nonce.encode()), whole)


def leaf(nonce: str, content: bytes) -> str:
    return digest(b"turnpost leaf 2\n", nonce.encode(), content)


def digest(purpose: bytes, *parts: bytes) -> str:
    return sha256(purpose + b"".join(map(with_length, parts))).hexdigest()


def with_length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part
