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
from clock import stand_ins
from core.refusals import Refused
from games.engine.errors import IllegalMove, MalformedMove
from games.models import Phase, Seat
from games.selectors import access, history
from games.selectors.loading import LoadedMatch
from games.services import idempotency, record
from games.services.idempotency import Answer


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


@dataclass(frozen=True)
class Unreadable:
    """A request that should have been a move and cannot be read; what it is answered is known already."""

    sent: bytes
    answer: Answer
    key: str | None = None

    @property
    def hash(self) -> str:
        return sha256(self.sent).hexdigest()


@transaction.atomic
def submit(match_id: str, user: User, submission: Submission) -> Answer:
    """Raises Refused for whoever has no seat here, and for another request's key; answers everything else."""
    table, seat = own_table(match_id, user, submission.key)
    if seat.user_id in table.answered:
        return idempotency.earlier(table, seat, submission)
    try:
        access.require_phase(table, Phase.RUNNING)
        move = read_move(table, submission.move)
        refuse_beside_a_stand_in(table, seat)
        refuse_stale(table, seat, submission.turn)
        now = timezone.now()
        entry = record.make_move(table, seat, move, source=submission.source, at=now, watching=seat)
    except (Refused, IllegalMove, MalformedMove) as refusal:
        answer = idempotency.refused_answer(refusal)
        idempotency.keep_refusal(table, user, submission, answer)
        return answer
    return accept(table, seat, entry, submission, now)


@transaction.atomic
def refuse_unreadable(match_id: str, user: User, request: Unreadable) -> Answer:
    """The same for a request that cannot be read. Only those of players are kept: a stranger is told that they have no
    seat here, as with any other move, and leaves nothing behind."""
    table, seat = own_table(match_id, user, request.key)
    if seat.user_id in table.answered:
        return idempotency.earlier(table, seat, request)
    idempotency.keep_refusal(table, user, request, request.answer)
    return request.answer


def own_table(match_id: str, user: User, key: str | None) -> tuple[LoadedMatch, Seat]:
    table = access.visible_table(match_id, user, lock=True, key=key)
    return table, access.own_seat(table, user)


def read_move(table: LoadedMatch, raw: str | Mapping[str, Any]) -> Any:
    return table.engine.parse(raw) if isinstance(raw, str) else table.engine.read_move(raw)


def refuse_beside_a_stand_in(table: LoadedMatch, seat: Seat) -> None:
    """It moves at once, so whoever waited for their turn would wait for ever. What it has sealed can be replaced."""
    if not seat.has_stand_in:
        return
    offered = table.engine.choices(table.state, seat.drawn)
    if not (offered.moves or offered.forms):
        raise Refused(
            409,
            "stand_in_plays",
            "A stand-in plays your seat, at once, so you are never asked.",
            "Take your seat back first, with 'back'.",
        )


def refuse_stale(table: LoadedMatch, seat: Seat, turn: int) -> None:
    if turn == table.match.turn:
        return
    view = table.engine.view(table.state, seat.number)
    then = f"You decided on turn {turn}, and the match" if turn else "You decided before the match began, and it"
    raise Refused(
        409,
        "stale",
        f"{then} is on turn {table.match.turn} now. Nothing was played.",
        "Look at the board again and decide anew.",
        turn=table.match.turn,
        view=msgspec.to_builtins(view),
    )


def accept(table: LoadedMatch, seat: Seat, entry: record.Entry, submission: Submission, at: datetime) -> Answer:
    """What stand-ins do next belongs to the same transaction and the same answer."""
    followed = stand_ins.go_on(table, at, watching=seat)
    answer = Answer(200, accepted_body(table, [entry, *followed]))
    idempotency.keep_with(entry.move, submission, answer)
    record.write_down(table)
    return answer


def accepted_body(table: LoadedMatch, entries: list[record.Entry]) -> bytes:
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
                "nonce": history.nonce(move) or None,
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
