"""Results of requests with a key are kept, so that repeating a request gets the same result and does nothing twice.

A result is written in the transaction of its request. A second request with the same key therefore violates the unique
constraint, is rolled back, and gets the first result.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
from django.utils import timezone

from accounts.models import User
from core import vault
from core.housekeeping import hourly
from core.refusals import KeyReused
from games.models import Phase, StoredResult
from games.selectors.loading import LoadedMatch
from games.shapes import MoveAccepted, MoveRefused

KEPT_FOR = timedelta(days=30)


@dataclass(frozen=True)
class KeyedRequest:
    """`fingerprint` tells another request with the same key apart."""

    key: str | None
    fingerprint: str


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    fingerprint: str
    accepted: MoveAccepted | None = None
    refused: MoveRefused | None = None


_kept = msgspec.json.Decoder(Kept)


def fingerprint(request: Any) -> str:
    return sha256(request if isinstance(request, bytes) else msgspec.json.encode(request)).hexdigest()


def rows(
    loaded: LoadedMatch, user: User | None, request: KeyedRequest | None, result: MoveAccepted | MoveRefused
) -> list[StoredResult]:
    """The row that keeps a result; none for a request without a key. The fingerprint is locked with it: by itself it
    would tell the move to anybody who tries out all moves."""
    if request is None or request.key is None or user is None:
        return []
    content = encrypted(request.fingerprint, result, loaded.engine.sealed_move_bytes)
    return [StoredResult(match=loaded.match, user=user, key=request.key, content=content, made_at=timezone.now())]


def encrypted(fingerprint: str, result: MoveAccepted | MoveRefused, sealed_move_bytes: int) -> str:
    """As long as for any other sealed move: there is room for the longest one where this one is written."""
    step = max(vault.STEP, 4 * sealed_move_bytes)
    if isinstance(result, MoveRefused):
        return vault.encrypt(msgspec.json.encode(Kept(fingerprint, refused=result)), step=step)
    content = msgspec.json.encode(Kept(fingerprint, accepted=result))
    return vault.encrypt(content, step=step, at_least=len(content) - len(result.move.notation) + sealed_move_bytes)


def earlier_result(match_id: str, user: User | None, request: KeyedRequest) -> MoveAccepted | MoveRefused | None:
    """What the first request with this key got. Raises KeyReused if that was another request."""
    row = StoredResult.objects.filter(match=match_id, user=user, key=request.key).first()
    if row is None:
        return None
    kept = _kept.decode(vault.decrypt(row.content))
    if kept.fingerprint != request.fingerprint:
        raise KeyReused(
            "key_reused",
            "This Idempotency-Key was used for another move before.",
            "Use a new key for each move, and the same key only to repeat a request.",
        )
    return kept.accepted or kept.refused


@hourly
def forget_old(now: datetime) -> int:
    """Not while the match runs: a turn may take longer than that, and a repeated request must still do nothing."""
    old = StoredResult.objects.filter(made_at__lt=now - KEPT_FOR).exclude(match__phase=Phase.RUNNING)
    return old.delete()[0]
