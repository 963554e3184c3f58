"""Writing down what a move did: the position, the move, its events, who is awaited now, and who must be told."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from games import notices, vault
from games.clock import count
from games.engine import fairness
from games.engine.base import Outcome, Played
from games.engine.dice import Dice
from games.engine.fairness import Chain, ChainedEvent
from games.engine.records import Event as RuleEvent
from games.engine.records import canonical
from games.mail import outbox
from games.models import Event, Move, Notice, Phase, Seat
from games.models.notice import NoticeKind
from games.table import Table, Unwritten, changes_of_seats
from metrics import counts
from rest import statements

BY_THE_CLOCK = "clock"
"""The source of moves that were made for an absent player, who has not been there."""


@dataclass(frozen=True)
class Entry:
    move: Move
    """Not yet written: the answer that belongs to it is made from what happened."""
    events: list[ChainedEvent]
    awaiting: frozenset[int]
    notation: str


def make_move(table: Table, seat: Seat, move: Any, *, source: str, at: datetime, watching: Seat | None = None) -> Entry:
    """Plays a move; its caller has it written down in the same transaction. Raises IllegalMove, and then nothing is
    changed. Whoever is `watching` sees the answer and needs no notice."""
    played = table.engine.play(table.state, seat.drawn, move, Dice(table.seed, table.match.turn))
    decided_on = table.match.turn
    awaiting = table.engine.awaiting(played.state)
    advance(table, played)
    events = note_events(table, played.events, at)
    if source != BY_THE_CLOCK:
        note_presence(table, seat, at)
    told = await_seats(table, awaiting, advanced=not played.quiet, at=at)
    owed = table.unwritten.notices
    owed += notices.to_seats(table, [asked for asked in told if asked is not watching], NoticeKind.YOUR_TURN, at)
    if outcome := table.engine.outcome(played.state):
        owed += finish(table, outcome, at)
    elif any(event.is_news for event in played.events):
        owed += notices.to_seats(table, onlookers(table, watching), NoticeKind.NEWS, at)
    transaction.on_commit(counts.one_move(table.match.game, source))
    kept = keep_move(table, seat, move, decided_on, source=source, at=at, closes_turn=not played.quiet)
    table.unwritten.moves.append(kept)
    return Entry(kept, events, awaiting, table.engine.notation(move))


def write_down(table: Table) -> None:
    """Everything that moves have changed, in as few statements as there are tables to write to."""
    new, table.unwritten = table.unwritten, Unwritten()
    statements.run(
        [
            statements.update(table.match, CHANGED_BY_A_MOVE),
            *changes_of_seats([table]),
            *statements.insert(new.events),
            *statements.insert(new.moves),
            *outbox.owed(new.notices, having_webhooks={seat.user_id for seat in table.seats if seat.has_webhook}),
        ]
    )


CHANGED_BY_A_MOVE = [
    "turn",
    "locked_state",
    "moves_made",
    "events_made",
    "head",
    "phase",
    "ended_at",
    "outcome",
]


def note_presence(table: Table, seat: Seat, at: datetime) -> None:
    """Whoever makes a move is there, also where a stand-in played for them."""
    seat.acted_through, seat.visited_at = table.match.events_made, at
    seat.timeouts, seat.stand_in_since = 0, None


def advance(table: Table, played: Played[Any]) -> None:
    match = table.match
    match.locked_state = vault.lock(table.engine.states.dump(played.state), room_for=room_for_state(table, played))
    match.turn += not played.quiet
    match.moves_made += 1


def room_for_state(table: Table, played: Played[Any]) -> int:
    """A position gets longer by what is sealed. So there is room for that in the open one before, and while moves are
    sealed what is stored keeps its length."""
    if played.quiet and table.match.moves_made:
        return vault.room_in(table.match.locked_state)
    known = table.state if played.quiet else played.state
    return len(table.engine.states.dump(known)) + table.engine.sealed_round_bytes


def note_events(table: Table, happened: tuple[RuleEvent, ...], at: datetime) -> list[ChainedEvent]:
    match = table.match
    chain = Chain(table.engine, table.seed, match.head, match.events_made)
    chained = chain.append(happened, match.turn)
    match.head, match.events_made = chain.head, chain.number
    table.unwritten.events += [event_row(table, event, at) for event in chained]
    return chained


def event_row(table: Table, chained: ChainedEvent, at: datetime) -> Event:
    content = table.engine.events.dump(chained.event)
    private = chained.audience is not None
    return Event(
        match=table.match,
        number=chained.number,
        turn=chained.turn,
        audience=list(chained.audience) if chained.audience is not None else None,
        content=vault.lock(content) if private else content.decode(),
        leaf=chained.leaf if private else "",
        hash=chained.hash,
        happened_at=at,
    )


def await_seats(table: Table, awaiting: frozenset[int], *, advanced: bool, at: datetime) -> list[Seat]:
    """Notes who must act now, and whose time runs. Returns the players who are asked anew."""
    asked = []
    for seat in table.seats:
        was, now = seat.awaited_since is not None, seat.number in awaiting
        if now and (advanced or not was):
            seat.awaited_since, seat.asked_turn = at, table.match.turn
            count.start(table.match, seat, at, anew=advanced)
            asked.append(seat)
        elif was and not now:
            seat.awaited_since = seat.asked_turn = None
            count.stop(table.match, seat, at)
        if advanced and not now:
            count.forget(seat)
    return [seat for seat in asked if not seat.has_stand_in]


def onlookers(table: Table, watching: Seat | None) -> list[Seat]:
    """Those who are neither asked now nor see the answer to the move: they would hear nothing."""
    return [seat for seat in table.seats if seat.awaited_since is None and seat is not watching]


def finish(table: Table, outcome: Outcome, at: datetime) -> list[Notice]:
    match = table.match
    match.phase, match.ended_at = Phase.FINISHED, at
    match.outcome = msgspec.to_builtins(outcome)
    for seat in table.seats:
        seat.points, seat.place = outcome.points[seat.drawn], outcome.places[seat.drawn]
    return notices.to_seats(table, table.seats, NoticeKind.MATCH_OVER, at)


def abandon(table: Table, at: datetime) -> None:
    """Ends the match without a result."""
    for seat in table.seats:
        seat.awaited_since = seat.asked_turn = None
        count.forget(seat)
    table.match.phase, table.match.ended_at = Phase.ABANDONED, at
    table.unwritten.notices += notices.to_seats(table, table.seats, NoticeKind.MATCH_OVER, at)
    write_down(table)


def keep_move(table: Table, seat: Seat, move: Any, turn: int, *, source: str, at: datetime, closes_turn: bool) -> Move:
    engine = table.engine
    content = engine.moves.dump(move)
    kept = Move(
        match=table.match,
        number=table.match.moves_made,
        turn=turn,
        seat=seat.drawn,
        source=source,
        is_sealed=isinstance(move, engine.sealed_moves),
        closes_turn=closes_turn,
        content=content.decode(),
        made_at=at,
    )
    if kept.is_sealed:
        shown, whole = canonical(engine.revealed(move)), canonical(move)
        nonce = secrets.token_hex(16)
        kept.receipt = fairness.receipt(table.match.id, turn, kept.seat, nonce, shown, whole)
        kept.nonce = vault.lock(nonce.encode(), step=16)
        kept.content = vault.lock(content, step=engine.sealed_move_bytes)
    return kept
