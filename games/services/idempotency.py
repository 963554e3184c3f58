"""Answers to requests with a key are kept, so that the same request gets the same bytes again.

That of a move is kept with the move, as long as its player has the seat. A refusal is kept for a while, by itself.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import msgspec
from django.utils import timezone

from accounts.models import User
from core import vault
from core.metrics import counters
from core.refusals import Refused
from games.engine.errors import IllegalMove, MalformedMove
from games.models import Move, Refusal, Seat
from games.selectors.loading import LoadedMatch

Refusing = Refused | IllegalMove | MalformedMove
REFUSALS_ARE_KEPT = timedelta(days=30)
HASH_LENGTH = 64
LENGTH_OF_SEALED = 512
"""Bytes in which the answer to any sealed move finds room, so that its length does not tell which it was."""


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes


class Keyed(Protocol):
    """A request that may be repeated; `hash` tells another request with the same key apart."""

    @property
    def key(self) -> str | None: ...

    @property
    def hash(self) -> str: ...


def refused_answer(refusal: Refusing) -> Answer:
    counters.one_refusal(refusal.code)
    body = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint, "data": refusal.data}
    return Answer(status_of(refusal), msgspec.json.encode(body))


def status_of(refusal: Refusing) -> int:
    if isinstance(refusal, Refused):
        return refusal.status
    return 400 if isinstance(refusal, MalformedMove) else 409


def earlier(table: LoadedMatch, seat: Seat, request: Keyed) -> Answer:
    """What the first request with this key was answered. Raises Refused if this is another one."""
    refused = Refusal.objects.filter(match=table.match, user=seat.user_id, key=request.key).first()
    kept = refused or Move.objects.get(match=table.match, seat=seat.drawn, key=request.key)
    asked, body = opened(kept.answer)
    if asked != request.hash:
        raise Refused(
            422,
            "key_reused",
            "This Idempotency-Key came with another move before.",
            "Use a new key for a new move, and the same key only to ask for the same answer again.",
        )
    return Answer(kept.status if isinstance(kept, Refusal) else 200, body)


def keep_with(move: Move, request: Keyed, answer: Answer) -> None:
    if request.key:
        step = LENGTH_OF_SEALED if move.is_sealed else vault.STEP
        move.key, move.answer = request.key, locked(request, answer, step)


def keep_refusal(table: LoadedMatch, user: User, request: Keyed, answer: Answer) -> None:
    if request.key:
        Refusal.objects.create(
            match=table.match,
            user=user,
            key=request.key,
            status=answer.status,
            answer=locked(request, answer, LENGTH_OF_SEALED),
            made_at=timezone.now(),
        )


def locked(request: Keyed, answer: Answer, step: int) -> str:
    """With the hash of the request: by itself it would tell what was asked to whoever tries out all moves."""
    return vault.lock(request.hash.encode() + answer.body, step=step)


def opened(kept: str) -> tuple[str, bytes]:
    """The hash of the request, and what it was answered."""
    whole = vault.unlock(kept)
    return whole[:HASH_LENGTH].decode(), whole[HASH_LENGTH:]


def forget_those_to(seat: Seat) -> None:
    """The seat gets another player, whom the answers to the one before do not concern."""
    kept = Move.objects.filter(match=seat.match_id, seat=seat.drawn, key__isnull=False)
    kept.update(key=None, answer="")


def forget_old_refusals(now: datetime) -> int:
    return Refusal.objects.filter(made_at__lt=now - REFUSALS_ARE_KEPT).delete()[0]
