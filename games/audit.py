"""Playing stored matches once more from their seed and moves, and comparing every byte with what is stored."""

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from games import history, vault
from games.engine import fairness
from games.engine.errors import EngineError
from games.engine.records import canonical
from games.engine.replay import Replay
from games.models import Match, Move, Phase
from games.proofs import event_content
from games.table import Table, lay_table

PLAYED = [Phase.RUNNING, Phase.FINISHED, Phase.ABANDONED]


def audit(match_ids: list[str] | None = None) -> Iterator[tuple[str, str | None]]:
    """Every match with the first difference found in it, or None."""
    matches = Match.objects.filter(phase__in=PLAYED).order_by("id")
    if match_ids:
        matches = matches.filter(pk__in=match_ids)
    for match_id in list(matches.values_list("pk", flat=True)):
        with transaction.atomic():
            yield match_id, first_difference(lay_table(match_id, lock=True))


def first_difference(table: Table) -> str | None:
    try:
        return next(differences(table), None)
    except (EngineError, vault.VaultLocked) as error:
        return f"it cannot be replayed: {error}"


def differences(table: Table) -> Iterator[str]:
    match, engine = table.match, table.engine
    replay = Replay(engine, table.terms, vault.unlock(match.locked_secret))
    for number, move in enumerate(match.moves.order_by("number"), start=1):
        if (move.number, move.turn) != (number, replay.turn):
            yield f"move {move.number} on turn {move.turn} should be move {number} on turn {replay.turn}"
        made = engine.moves.load(history.content(move))
        if (move.is_sealed, move.receipt) != (engine.is_sealed(made), receipt(table, move, made)):
            yield f"move {move.number} does not fit its seal"
        replay.play(move.seat, made)
        if move.closes_turn != (replay.turn != move.turn):
            yield f"move {move.number} is stored as {'' if move.closes_turn else 'not '}closing its turn"
    yield from event_differences(table, replay)
    if engine.states.dump(replay.state) != vault.unlock(match.locked_state):
        yield "the stored position is not what the moves lead to"
    stored = (match.turn, match.moves_made, match.events_made, match.head)
    if stored != (replay.turn, match.moves.count(), replay.chain.number, replay.chain.head):
        yield "turn, counts or chain head are not what the moves lead to"
    if canonical(match.outcome) != canonical(engine.outcome(replay.state)):
        yield "the stored result is not what the moves lead to"
    if match.seating != fairness.seating(replay.seed, len(match.salts)):
        yield "the players do not sit where the lot put them"
    awaited = {seat.number for seat in table.seats if seat.awaited_since}
    if match.phase == Phase.RUNNING and awaited != engine.awaiting(replay.state):
        yield "other seats are awaited than the position asks for"


def receipt(table: Table, move: Move, made: Any) -> str:
    if not move.is_sealed:
        return ""
    shown, whole = canonical(table.engine.revealed(made)), canonical(made)
    return fairness.receipt(table.match.id, move.turn, move.seat, move.nonce, shown, whole)


def event_differences(table: Table, replay: Replay) -> Iterator[str]:
    stored = list(table.match.events.order_by("number"))
    if len(stored) != len(replay.events):
        yield f"{len(stored)} events are stored, and the moves lead to {len(replay.events)}"
    for row, chained in zip(stored, replay.events, strict=False):
        leaf = chained.leaf if chained.audience is not None else ""
        expected = (chained.number, chained.turn, chained.audience, leaf, chained.hash)
        found = (row.number, row.turn, None if row.audience is None else tuple(row.audience), row.leaf, row.hash)
        if found != expected or event_content(row) != table.engine.events.dump(chained.event):
            yield f"event {chained.number} is not what the moves lead to"
