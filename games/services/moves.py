"""Make a move, from the request to the commit: load and lock the match, refuse or play the move, and write all changes.

Everything happens in one transaction. Other apps are notified inside it (games.services.announcements), and their rows
are written with the move. A refused move changes nothing in the match. If the request had a key, the refusal is stored
under that key.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.authentication import UncheckedToken
from accounts.models import User
from core import signatures, sql, vault
from core.announcements import announce
from core.metrics import MOVES
from core.refusals import Conflict, Invalid, Refused
from games.engine import fairness, receipts
from games.engine.base import Outcome, Played
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.fairness import Cause, Chain, ChainedEvent, End, Reveal
from games.engine.records import Event as GameEvent
from games.engine.records import canonical
from games.models import Event, Move, Phase, Seat, Source
from games.selectors import access
from games.selectors.loading import (
    LoadedMatch,
    changes_of_seats,
    load_match,
    made_move,
    proof_time,
)
from games.services import idempotency
from games.services.announcements import MatchAbandoned, MoveMade, SeatsToMove
from games.services.idempotency import KeyedRequest
from games.shapes import MadeMove, MoveAccepted, MoveRefused, SeenEvent

MOST_PASSES = 100
"""How many times `play_on` lets standing orders and stand-ins move within one transaction."""

RawMove = str | Mapping[str, Any]
MoveResult = MoveAccepted | MoveRefused


@dataclass(frozen=True)
class Actor:
    """Who makes a move: a user or, on behalf of a seat, a bot, a standing order or the clock."""

    source: Source
    user: User | None = None
    seat: int | None = None
    """The seat to move for, if there is no user."""
    token: UncheckedToken | None = None
    """The token of a user who has not been looked up yet."""


@dataclass(frozen=True)
class Made:
    """A move that has been played but not written yet."""

    move: Move
    notation: str
    nonce: str
    """The nonce of the receipt, if the move is sealed."""


def submit_move(*, match_id: str, actor: Actor, move: RawMove, turn: int, key: str | None = None) -> MoveResult:
    """Make a move. Raise Refused if the user has no seat, or if the key was used for a different move."""
    request = KeyedRequest(key, idempotency.fingerprint([move, turn]))
    return once(match_id, actor, request, lambda loaded, seat, who: submit_to(loaded, seat, who, move, turn, request))


def refuse_unreadable(*, match_id: str, actor: Actor, refused: MoveRefused, sent: bytes, key: str) -> MoveResult:
    """Store the error for an unreadable request under its key, so that a repeated request gets the same response."""
    request = KeyedRequest(key, idempotency.fingerprint(sent))

    def keep(loaded: LoadedMatch, _: Seat, who: Actor) -> MoveResult:
        sql.run(sql.insert_each(idempotency.rows(loaded, who.user, request, refused)))
        return refused

    return once(match_id, actor, request, keep)


def once(
    match_id: str, actor: Actor, request: KeyedRequest, work: Callable[[LoadedMatch, Seat, Actor], MoveResult]
) -> MoveResult:
    """Lock the match and do the work in one transaction.

    If the key has already been used, return the stored result and do nothing else.
    """
    try:
        with transaction.atomic():
            loaded, actor = enter(match_id, actor)
            seat = access.own_seat(loaded, actor.user) if actor.seat is None else loaded.seats[actor.seat]
            return work(loaded, seat, actor)
    except IntegrityError:
        if earlier := idempotency.earlier_result(match_id, actor.user, request):
            return earlier
        raise


def enter(match_id: str, actor: Actor) -> tuple[LoadedMatch, Actor]:
    """Load and lock the match. If the actor is known only by a token, find out who it is."""
    if actor.token:
        loaded, user = access.match_with_token(match_id, actor.token)
        return loaded, replace(actor, user=user, token=None)
    if actor.user:
        return access.visible_match(match_id, actor.user, lock=True), actor
    return load_match(match_id, lock=True), actor


def submit_to(
    loaded: LoadedMatch, seat: Seat, actor: Actor, raw: RawMove, turn: int, request: KeyedRequest | None = None
) -> MoveResult:
    """Make a move like `submit_move`, in a match that the caller has loaded and locked."""
    now, known = timezone.now(), len(loaded.happened)
    try:
        move = readable_move(loaded, seat, raw, turn)
        made = make_move(loaded, seat, move, actor, at=now, watching=seat)
    except (Refused, IllegalMove, MalformedMove) as refusal:
        refused = refused_move(refusal)
        if rows := idempotency.rows(loaded, actor.user, request, refused):
            sql.run(sql.insert_each(rows))
        return refused
    play_on(loaded, now, watching=seat)
    accepted = accepted_move(loaded, made, loaded.happened[known:])
    loaded.new_rows += idempotency.rows(loaded, actor.user, request, accepted)
    write(loaded)
    return accepted


def play_on(loaded: LoadedMatch, at: datetime, *, watching: Seat | None = None) -> None:
    """Let standing orders, stand-ins and bots move until only players have to. The caller writes the moves."""
    for _ in range(MOST_PASSES):
        made = loaded.match.moves_made
        if not any(seat.awaited_since and (seat.encrypted_orders or not seat.is_present) for seat in loaded.seats):
            return
        announce(SeatsToMove(loaded, watching=watching, at=at))
        if loaded.match.moves_made == made:
            return


def readable_move(loaded: LoadedMatch, seat: Seat, raw: RawMove, turn: int) -> Any:
    """Parse the move, and check that this player may move now. The engine checks whether the move is legal."""
    if loaded.match.phase != Phase.RUNNING:
        raise access.wrong_phase(loaded, Phase.RUNNING)
    move = loaded.engine.parse(raw) if isinstance(raw, str) else loaded.engine.read_move(raw)
    access.require_not_resigned(seat)
    if seat.stand_in_since:
        refuse_while_a_stand_in_plays(loaded, seat)
    if turn != loaded.match.turn:
        raise stale(loaded, seat, turn)
    return move


def refuse_while_a_stand_in_plays(loaded: LoadedMatch, seat: Seat) -> None:
    """Refuse the move if a stand-in has already moved, unless that move is sealed and can be replaced."""
    if not loaded.engine.choices(loaded.state, seat.drawn):
        raise Conflict("stand_in_plays", "A stand-in is playing your seat.", "Take your seat back first, with 'back'.")


def stale(loaded: LoadedMatch, seat: Seat, turn: int) -> Conflict:
    view = loaded.engine.view(loaded.state, seat.number)
    seen = f"The board has changed since turn {turn}" if turn else "You haven't seen the current board yet"
    return Conflict(
        "stale",
        f"{seen}. The match is now on turn {loaded.match.turn}. Nothing was played.",
        "Look at the board and decide again.",
        turn=loaded.match.turn,
        view=msgspec.to_builtins(view),
    )


def make_move(
    loaded: LoadedMatch, seat: Seat, move: Any, actor: Actor, *, at: datetime, watching: Seat | None = None
) -> Made:
    """Play a move and collect its changes, which the caller writes.

    If the move is refused, raise IllegalMove and change nothing.
    """
    match, engine, number = loaded.match, loaded.engine, seat.drawn
    played = engine.play(loaded.state, number, move, Dice(loaded.seed, match.turn))
    decided_on, advanced = match.turn, not played.quiet
    awaiting, outcome = engine.awaiting(played.state), engine.outcome(played.state)
    position = engine.states.dump(played.state)
    match.encrypted_state = vault.encrypt(position, at_least=room_for_state(loaded, played, position))
    loaded.state = played.state
    match.turn += advanced
    match.moves_made += 1
    made = new_move(loaded, number, move, decided_on, actor, closes_turn=advanced, at=at)
    loaded.new_rows.append(made.move)
    append_events(loaded, played.events, at, link_move(loaded, made.move, move))
    if actor.user:
        seat.acted_through, seat.visited_at = match.events_made, at
    asked, done = ask_seats(loaded, awaiting, advanced=advanced, at=at)
    if outcome:
        finish(loaded, outcome, at)
    announce(
        MoveMade(
            loaded,
            seat,
            by_player=actor.user is not None,
            asked=asked,
            done=done,
            advanced=advanced,
            is_news=any(event.is_news for event in played.events),
            is_over=outcome is not None,
            watching=watching,
            at=at,
        )
    )
    transaction.on_commit(partial(MOVES.labels(match.game, actor.source).inc))
    return made


def room_for_state(loaded: LoadedMatch, played: Played[Any], position: bytes) -> int:
    """Return the space to reserve for the sealed moves of a round, so that the stored length does not change as they
    come in."""
    if played.quiet and loaded.match.moves_made:
        return vault.capacity(loaded.match.encrypted_state)
    known = loaded.engine.states.dump(loaded.state) if played.quiet else position
    return len(known) + loaded.engine.sealed_round_bytes


def link_move(loaded: LoadedMatch, row: Move, move: Any) -> Cause:
    """Return the move's link in the chain.

    The receipts of a sealed round are kept with the match until the reveal.
    """
    sealed = [Reveal(**reveal) for reveal in loaded.match.sealed]
    cause, waiting = fairness.link_move(sealed, made_move(row, move), advanced=row.closes_turn)
    loaded.match.sealed = msgspec.to_builtins(list(waiting))
    return cause


def append_events(
    loaded: LoadedMatch, happened: tuple[GameEvent, ...], at: datetime, cause: Cause | None = None
) -> None:
    match = loaded.match
    chain = Chain(loaded.seed, match.head, match.events_made)
    chained = chain.append(happened, match.turn, cause)
    match.head, match.events_made = chain.head, chain.number
    for event in chained:
        private = event.audience is not None
        loaded.new_rows.append(
            sql.new_row(
                Event,
                match=match,
                number=event.number,
                turn=event.turn,
                audience=list(event.audience) if event.audience is not None else None,
                content=vault.encrypt(event.content) if private else event.content.decode(),
                cause=event.cause.decode(),
                leaf=event.leaf if private else "",
                hash=event.hash,
                happened_at=at,
            )
        )
    loaded.happened += chained


def ask_seats(
    loaded: LoadedMatch, awaiting: frozenset[int], *, advanced: bool, at: datetime
) -> tuple[list[Seat], list[Seat]]:
    """Record who has to move now. Return the seats with something new to decide, and those that are done."""
    asked, done = [], []
    for seat in loaded.seats:
        was, now = seat.awaited_since is not None, seat.number in awaiting
        if now and (advanced or not was):
            seat.awaited_since, seat.asked_turn = at, loaded.match.turn
            asked.append(seat)
        elif was and not now:
            seat.awaited_since = seat.asked_turn = None
            done.append(seat)
    return asked, done


def finish(loaded: LoadedMatch, outcome: Outcome, at: datetime) -> None:
    match = loaded.match
    match.phase, match.ended_at = Phase.FINISHED, at
    match.outcome = msgspec.to_builtins(outcome)
    for seat, place in zip(loaded.seats, final_places(loaded.seats, outcome), strict=True):
        seat.points, seat.place = outcome.points[seat.drawn], place
        seat.encrypted_orders = ""
    end_chain(loaded, End(proof_time(at), (), "finished", match.turn))


def final_places(seats: Sequence[Seat], outcome: Outcome) -> list[int]:
    """Return each seat's place, based on points. Players who resigned come last."""
    remaining = [outcome.points[seat.drawn] for seat in seats if not seat.resigned_at]
    return [
        len(remaining) + 1 if seat.resigned_at else 1 + sum(points > outcome.points[seat.drawn] for points in remaining)
        for seat in seats
    ]


def end_chain(loaded: LoadedMatch, end: End) -> None:
    loaded.match.end = msgspec.to_builtins(end)
    loaded.match.head = fairness.link(loaded.match.head, fairness.end_leaf(end))


def abandon(loaded: LoadedMatch, at: datetime, asked_by: Sequence[Seat] = ()) -> None:
    """End the match without a result. The caller writes the changes. `asked_by` is empty if no players were left."""
    asked = tuple(sorted(seat.drawn for seat in asked_by))
    end_chain(loaded, End(proof_time(at), asked, "abandoned", loaded.match.turn))
    for seat in loaded.seats:
        seat.awaited_since = seat.asked_turn = None
        seat.encrypted_orders = ""
    loaded.match.phase, loaded.match.ended_at = Phase.ABANDONED, at
    announce(MatchAbandoned(loaded, at))


def new_move(
    loaded: LoadedMatch, seat: int, move: Any, turn: int, actor: Actor, *, closes_turn: bool, at: datetime
) -> Made:
    engine = loaded.engine
    content, nonce = engine.moves.dump(move), ""
    row = sql.new_row(
        Move,
        match=loaded.match,
        number=loaded.match.moves_made,
        turn=turn,
        seat=seat,
        source=actor.source,
        is_sealed=isinstance(move, engine.sealed_moves),
        closes_turn=closes_turn,
        content=content.decode(),
        made_at=at,
    )
    if row.is_sealed:
        nonce = secrets.token_hex(16)
        shown, whole = canonical(engine.revealed(move)), canonical(move)
        row.receipt = receipts.receipt(loaded.match.id, turn, row.seat, nonce, shown, whole)
        row.nonce = vault.encrypt(nonce.encode(), step=16)
        row.content = vault.encrypt(content, step=engine.sealed_move_bytes)
    return Made(row, engine.notation(move), nonce)


CHANGED_BY_MOVES = [
    "turn",
    "encrypted_state",
    "moves_made",
    "events_made",
    "head",
    "sealed",
    "end",
    "phase",
    "ended_at",
    "outcome",
]


def write(loaded: LoadedMatch) -> None:
    """Write everything that was changed and collected, with one statement per table."""
    before, now = loaded.stored_match, dict(loaded.match.__dict__)
    rows, loaded.new_rows, loaded.stored_match = loaded.new_rows, [], now
    changed = [name for name in CHANGED_BY_MOVES if before.get(name) != now.get(name)]
    of_match = [sql.update(loaded.match, changed)] if changed else []
    sql.run([*of_match, *changes_of_seats([loaded]), *sql.insert_each(rows)])


def accepted_move(loaded: LoadedMatch, made: Made, happened: list[ChainedEvent]) -> MoveAccepted:
    """Build the response: the player's move, and the events they may see."""
    move = made.move
    return MoveAccepted(
        match=loaded.match.id,
        turn=loaded.match.turn,
        phase=loaded.match.phase,
        awaiting=[number for number, seat in enumerate(loaded.seats) if seat.awaited_since],
        move=MadeMove(
            seat=move.seat,
            notation=made.notation,
            sealed=move.is_sealed,
            receipt=move.receipt or None,
            nonce=made.nonce or None,
            signature=signed_receipt(move) if move.is_sealed else None,
        ),
        events=seen_events(loaded, move.seat, happened),
    )


def seen_events(loaded: LoadedMatch, seat: int, happened: Sequence[ChainedEvent]) -> list[SeenEvent]:
    engine, names = loaded.engine, loaded.names_for(seat)
    return [
        SeenEvent(number=event.number, event=event.event, text=engine.tell(event.event, names))
        for event in happened
        if event.audience is None or seat in event.audience
    ]


def signed_receipt(move: Move) -> str:
    return signatures.sign(fairness.receipt_statement(move.match_id, move.turn, move.seat, move.receipt))


def refused_move(refusal: Refused | IllegalMove | MalformedMove) -> MoveRefused:
    kind = refusal.kind if isinstance(refusal, Refused) else KINDS[type(refusal)]
    return MoveRefused(
        kind=kind, code=refusal.code, message=refusal.message, hint=refusal.hint, data=dict(refusal.data)
    )


KINDS: dict[type[Exception], str] = {MalformedMove: Invalid.kind, IllegalMove: Conflict.kind}
