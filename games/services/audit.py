"""Replay stored matches from their seed and moves, and compare every byte with the database.

Positions stored by an older version are upgraded first, as they would be by the next move.
"""

from collections.abc import Iterator

import msgspec
from django.db import DatabaseError, transaction

from core import vault
from games.engine import fairness
from games.engine.base import Outcome
from games.engine.errors import EngineError
from games.engine.proof import Replay
from games.engine.records import canonical
from games.models import Match, Phase
from games.selectors import history, match_log
from games.selectors.loading import LoadedMatch, load_match, made_move, receipt_of
from games.services import moves

PLAYED = [Phase.RUNNING, Phase.FINISHED, Phase.ABANDONED]


def audit(match_ids: list[str] | None = None) -> Iterator[tuple[str, str | None]]:
    """Yield the ID of each match, with the first difference found or None."""
    matches = Match.objects.filter(phase__in=PLAYED).order_by("id")
    if match_ids:
        matches = matches.filter(pk__in=match_ids)
    for match_id in list(matches.values_list("pk", flat=True)):
        with transaction.atomic():
            found = first_difference(load_match(match_id, lock=True))
        yield match_id, found


def first_difference(loaded: LoadedMatch) -> str | None:
    """Compare one match.

    Any exception during the replay counts as a difference, unless the database is unavailable. Details are left out,
    because they could reveal a sealed move.
    """
    try:
        return next(differences(loaded), None)
    except DatabaseError:
        raise
    except vault.CannotDecrypt as error:
        return f"cannot be replayed: {error}"
    except EngineError as error:
        return f"cannot be replayed: {error.code}"
    except Exception as error:  # noqa: BLE001
        return f"cannot be read: {type(error).__name__}"


def differences(loaded: LoadedMatch) -> Iterator[str]:
    match, engine = loaded.match, loaded.engine
    replay = Replay(engine, loaded.terms, vault.decrypt(match.encrypted_secret))
    stored_moves = match_log.moves(loaded)
    for number, move in enumerate(stored_moves, start=1):
        if (move.number, move.turn) != (number, replay.turn):
            yield f"move {move.number} on turn {move.turn} should be move {number} on turn {replay.turn}"
        made = engine.moves.load(history.content(move))
        receipt = receipt_of(loaded, move, made, history.nonce(move))
        if (move.is_sealed, move.receipt) != (engine.is_sealed(made), receipt):
            yield f"move {move.number} does not match its receipt"
        replay.play(move.seat, made, made_move(move, made))
        if move.closes_turn != (replay.turn != move.turn):
            yield f"move {move.number} is {'' if move.closes_turn else 'not '}marked as the end of its turn"
    yield from event_differences(loaded, replay)
    if engine.states.dump(replay.state) != engine.states.dump(loaded.state):
        yield "the stored position does not match the moves"
    stored = (match.turn, match.moves_made, match.events_made, match.head, match.sealed)
    sealed = msgspec.to_builtins(list(replay.sealed)) if match.phase == Phase.RUNNING else match.sealed
    if stored != (replay.turn, len(stored_moves), replay.chain.number, last_hash(match, replay), sealed):
        yield "turn, counts or chain head do not match the moves"
    if canonical(match.outcome) != canonical(engine.outcome(replay.state)):
        yield "the stored result does not match the moves"
    yield from seat_differences(loaded, replay)


def last_hash(match: Match, replay: Replay) -> str:
    if match.end is None:
        return replay.chain.head
    return fairness.link(replay.chain.head, fairness.end_leaf(msgspec.convert(match.end, fairness.End)))


def seat_differences(loaded: LoadedMatch, replay: Replay) -> Iterator[str]:
    """Check the values that are copied from the position to the seats, for lists and for the clock."""
    match, outcome = loaded.match, loaded.engine.outcome(replay.state)
    draw = fairness.seating(replay.seed, len(match.players))
    seated = [(seat.number, seat.position) for seat in loaded.seats]
    drawn = [(number, match.players[player]["position"]) for number, player in enumerate(draw)]
    if match.seating != draw or seated != drawn:
        yield "the seats differ from the draw"
    if (match.phase == Phase.FINISHED) != (outcome is not None):
        yield f"the phase is {match.phase}, but the position is {'not ' if outcome is None else ''}final"
    awaited = loaded.engine.awaiting(replay.state) if match.phase == Phase.RUNNING else frozenset()
    if {seat.number for seat in loaded.seats if seat.awaited_since} != awaited:
        yield "the wrong seats are marked as having to move"
    results = results_of(loaded, outcome)
    for seat in loaded.seats:
        timed = seat.number in awaited and not seat.is_bot
        if {seat.deadline is not None, seat.wake_at is not None} != {timed}:
            yield f"seat {seat.number} has a deadline but doesn't have to move, or vice versa"
        if (seat.points, seat.place) != results[seat.drawn]:
            yield f"the result of seat {seat.number} differs from the match's result"


def results_of(loaded: LoadedMatch, outcome: Outcome | None) -> list[tuple[int | None, int | None]]:
    """Return the points and the place of each seat."""
    if outcome is None:
        return [(None, None)] * len(loaded.seats)
    return list(zip(outcome.points, moves.final_places(loaded.seats, outcome), strict=True))


def event_differences(loaded: LoadedMatch, replay: Replay) -> Iterator[str]:
    stored = match_log.events(loaded)
    if len(stored) != len(replay.events):
        yield f"{len(stored)} events are stored, but the moves produce {len(replay.events)}"
    for row, chained in zip(stored, replay.events, strict=False):
        leaf = chained.leaf if chained.audience is not None else ""
        audience = None if row.audience is None else tuple(row.audience)
        expected = (chained.number, chained.turn, chained.audience, chained.cause.decode(), leaf, chained.hash)
        found = (row.number, row.turn, audience, row.cause, row.leaf, row.hash)
        if found != expected or history.event_content(row) != chained.content:
            yield f"event {chained.number} does not match the moves"
