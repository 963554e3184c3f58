"""The one door through which every move comes.

In one transaction: the match row is locked, what is stale or illegal is refused, the engine plays, and the new
position, the move, its events and the notices it owes are stored together. Nothing of a refused move remains but,
for a request with a key, its answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import access, record, vault
from games.clock import stand_ins
from games.engine.errors import IllegalMove
from games.models import Match, Move, Phase, Refusal, Seat
from games.table import Table
from rest.refusal import Refused


@dataclass(frozen=True)
class Answer:
    """Kept with the move, so that a repeated request gets the same bytes again."""

    status: int
    body: bytes


@dataclass(frozen=True)
class Submission:
    """A move as it comes from outside: in notation, or in its JSON form."""

    move: str | Mapping[str, Any]
    turn: int
    key: str | None = None
    source: str = "api"

    @property
    def hash(self) -> str:
        return sha256(msgspec.json.encode([self.move, self.turn])).hexdigest()


@transaction.atomic
def submit(match_id: str, user: User, submission: Submission) -> Answer:
    """Raises Refused or MalformedMove for what never was a move of this player's; answers everything else."""
    table = access.visible_table(match_id, user, lock=True, key=submission.key)
    seat = access.own_seat(table, user)
    if seat.user_id in table.answered:
        return earlier_answer(table.match, seat, submission)
    try:
        access.require_phase(table, Phase.RUNNING)
        move = read_move(table, submission.move)
        refuse_stale(table, seat, submission.turn)
        now = timezone.now()
        entry = record.make_move(table, seat, move, source=submission.source, at=now, watching=seat)
    except (Refused, IllegalMove) as refusal:
        return refuse(table, user, submission, refusal)
    return accept(table, seat, entry, submission, now)


def read_move(table: Table, raw: str | Mapping[str, Any]) -> Any:
    return table.engine.parse(raw) if isinstance(raw, str) else table.engine.read_move(raw)


def refuse_stale(table: Table, seat: Seat, turn: int) -> None:
    if turn == table.match.turn:
        return
    view = table.engine.view(table.state, seat.number)
    raise Refused(
        409,
        "stale",
        f"You decided on turn {turn}, and the match is on turn {table.match.turn} now. Nothing was played.",
        "Look at the board again and decide anew.",
        turn=table.match.turn,
        view=msgspec.to_builtins(view),
    )


def accept(table: Table, seat: Seat, entry: record.Entry, submission: Submission, at: datetime) -> Answer:
    """What stand-ins do next belongs to the same transaction and the same answer."""
    followed = stand_ins.go_on(table, at, watching=seat)
    body = accepted_body(table, [entry, *followed])
    if submission.key:
        entry.move.key, entry.move.request_hash = submission.key, submission.hash
        entry.move.answer = vault.lock(body)
    entry.move.save(force_insert=True)
    return Answer(200, body)


def accepted_body(table: Table, entries: list[record.Entry]) -> bytes:
    move = entries[0].move
    happened = [event for entry in entries for event in entry.events]
    visible = [event for event in happened if event.audience is None or move.seat in event.audience]
    return msgspec.json.encode(
        {
            "match": table.match.id,
            "turn": table.match.turn,
            "phase": table.match.phase,
            "awaiting": sorted(entries[-1].awaiting),
            "move": {
                "seat": move.seat,
                "notation": entries[0].notation,
                "sealed": move.is_sealed,
                "receipt": move.receipt or None,
                "nonce": move.nonce or None,
            },
            "events": [
                {
                    "number": event.number,
                    "event": event.event,
                    "text": table.engine.tell(event.event, table.names),
                }
                for event in visible
            ],
        }
    )


def refuse(table: Table, user: User, submission: Submission, refusal: Refused | IllegalMove) -> Answer:
    """The refusal as an answer, kept if the request has a key."""
    answer = refused_answer(refusal)
    if submission.key:
        Refusal.objects.create(
            match=table.match,
            user=user,
            key=submission.key,
            request_hash=submission.hash,
            status=answer.status,
            answer=vault.lock(answer.body),
            made_at=timezone.now(),
        )
    return answer


def refused_answer(refusal: Refused | IllegalMove) -> Answer:
    status = refusal.status if isinstance(refusal, Refused) else 409
    body = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint, "data": refusal.data}
    return Answer(status, msgspec.json.encode(body))


def earlier_answer(match: Match, seat: Seat, submission: Submission) -> Answer:
    refused = Refusal.objects.filter(match=match, user=seat.user_id, key=submission.key).first()
    kept = refused or Move.objects.get(match=match, seat=seat.drawn, key=submission.key)
    if kept.request_hash != submission.hash:
        raise Refused(
            422,
            "key_reused",
            "This Idempotency-Key came with another move before.",
            "Use a new key for a new move, and the same key only to ask for the same answer again.",
        )
    return Answer(kept.status if isinstance(kept, Refusal) else 200, vault.unlock(kept.answer))
