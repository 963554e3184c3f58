"""Store the results of requests with a key, so that a repeated request gets the same result and changes nothing.

The result is written in the same transaction. A second request with the same key violates the unique constraint, is
rolled back and gets the first result.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
from django.utils import timezone

from accounts.models import User
from core import sql, vault
from core.housekeeping import hourly
from core.refusals import KeyReused
from games.models import Phase, StoredResult
from games.selectors.loading import LoadedMatch
from games.shapes import MoveAccepted, MoveRefused

RETENTION = timedelta(days=30)


@dataclass(frozen=True)
class KeyedRequest:
    """A key, and a `fingerprint` that distinguishes different requests with the same key."""

    key: str | None
    fingerprint: str


class Stored(msgspec.Struct, frozen=True, omit_defaults=True):
    fingerprint: str
    accepted: MoveAccepted | None = None
    refused: MoveRefused | None = None


_decoder = msgspec.json.Decoder(Stored)


def fingerprint(request: Any) -> str:
    return sha256(request if isinstance(request, bytes) else msgspec.json.encode(request)).hexdigest()


def rows(
    loaded: LoadedMatch, user: User | None, request: KeyedRequest | None, result: MoveAccepted | MoveRefused
) -> list[StoredResult]:
    """Return the row to insert, or nothing for a request without a key.

    The fingerprint is also encrypted, because somebody could otherwise find a sealed move by trying all moves.
    """
    if request is None or request.key is None or user is None:
        return []
    content = encrypted(request.fingerprint, result, loaded.engine.sealed_move_bytes)
    now = timezone.now()
    return [sql.new_row(StoredResult, match=loaded.match, user=user, key=request.key, content=content, made_at=now)]


def encrypted(fingerprint: str, result: MoveAccepted | MoveRefused, sealed_move_bytes: int) -> str:
    """Pad the result as if it contained the longest sealed move, so that its length reveals nothing."""
    step = max(vault.STEP, 4 * sealed_move_bytes)
    if isinstance(result, MoveRefused):
        return vault.encrypt(msgspec.json.encode(Stored(fingerprint, refused=result)), step=step)
    content = msgspec.json.encode(Stored(fingerprint, accepted=result))
    return vault.encrypt(content, step=step, at_least=len(content) - len(result.move.notation) + sealed_move_bytes)


def earlier_result(match_id: str, user: User | None, request: KeyedRequest) -> MoveAccepted | MoveRefused | None:
    """Return the result of the first request with this key. Raise KeyReused if that was a different request."""
    row = StoredResult.objects.filter(match=match_id, user=user, key=request.key).first()
    if row is None:
        return None
    stored = _decoder.decode(vault.decrypt(row.content))
    if stored.fingerprint != request.fingerprint:
        raise KeyReused(
            "key_reused",
            "This Idempotency-Key was already used for a different move.",
            "Use a new key for each move, and reuse it only to repeat that request.",
        )
    return stored.accepted or stored.refused


@hourly
def forget_old(now: datetime) -> int:
    """Delete old results. The results of running matches are kept, so that even a late retry changes nothing."""
    old = StoredResult.objects.filter(made_at__lt=now - RETENTION).exclude(match__phase=Phase.RUNNING)
    return old.delete()[0]
