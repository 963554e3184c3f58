"""Load a match with its seats and position, for services and selectors."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from typing import Any

import msgspec
from django.db.models import Model, QuerySet

from core import sql, vault
from games.engine import fairness
from games.engine.fairness import ChainedEvent
from games.engine.names import Names
from games.engine.registry import AnyEngine, engine
from games.engine.text import listing
from games.models import Match, Move, Seat
from games.models.log import MAKERS

SEAT_FIELDS = [
    "number",
    "awaited_since",
    "asked_turn",
    "acted_through",
    "visited_at",
    "deadline",
    "wake_at",
    "time_given",
    "time_left",
    "counted_from",
    "bank",
    "reminders",
    "timeouts",
    "stand_in_since",
    "resigned_at",
    "wants_to_abandon",
    "points",
    "place",
]
seat_values = attrgetter(*SEAT_FIELDS)


def proof_time(at: datetime | None) -> str:
    """Format a time the way it is hashed: 2026-11-17T14:05:09.000120Z"""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else ""


def made_move(row: Move, move: Any) -> fairness.MadeMove:
    """Convert a stored move to the form recorded in the chain."""
    return fairness.MadeMove(
        at=proof_time(row.made_at),
        by=MAKERS[row.source],
        move=move,
        receipt=row.receipt or None,
        seat=row.seat,
        turn=row.turn,
    )


@dataclass
class LoadedMatch:
    match: Match
    seats: list[Seat]
    """In seat order once the match has started; before that, in the order of joining."""
    stored: dict[int, tuple[Any, ...]] = field(init=False)
    """The seats' values as stored in the database, to find out what has changed."""
    new_rows: list[Model] = field(default_factory=list, init=False)
    """Rows to insert with the next write: moves, events, and rows added by listeners."""
    happened: list[ChainedEvent] = field(default_factory=list, init=False)
    """Events since the match was loaded."""

    def __post_init__(self) -> None:
        self.stored = {seat.pk: seat_values(seat) for seat in self.seats}

    @cached_property
    def engine(self) -> AnyEngine:
        return engine(self.match.game, self.match.rules)

    @cached_property
    def seed(self) -> bytes:
        salts = [player["salt"] for player in self.match.players]
        return fairness.match_seed(vault.decrypt(self.match.encrypted_secret), salts)

    @cached_property
    def state(self) -> Any:
        """The current position; a move replaces it."""
        return self.engine.states.load(vault.decrypt(self.match.encrypted_state))

    @property
    def terms(self) -> fairness.Terms:
        match = self.match
        return fairness.Terms(
            match=match.id,
            game=match.game,
            rules=match.rules,
            options=match.options,
            salts=msgspec.convert(match.salts, fairness.Salts),
            secret_hash=match.secret_hash,
            players=tuple(msgspec.convert(player, fairness.Contribution) for player in match.players),
            started_at=proof_time(match.started_at),
        )

    @property
    def names(self) -> list[str]:
        return [seat.player_name for seat in self.seats]

    def names_for(self, seat: int | None) -> Names:
        """Return the names for texts read by this seat, or by a spectator if `seat` is None."""
        return Names(tuple(self.names), seat)

    def seat_of(self, user_id: int | None) -> Seat | None:
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def save_seats(self) -> None:
        save_seats([self])


def match_name(loaded: LoadedMatch, seat: Seat | None) -> str:
    """Describe the match to a player, as in "Coloretto with Ben and Cleo"."""
    others = [other.player_name for other in loaded.seats if other != seat]
    return f"{loaded.engine.title} with {listing(others)}" if others else loaded.engine.title


MATCH = sql.Select(Match, 'WHERE one."id" = %s')
SEATS = sql.Select(Seat, 'WHERE one."match_id" = %s ORDER BY one."number", one."joined_at", one."id"', related="user")


def load_match(match_id: str, *, lock: bool = False) -> LoadedMatch:
    """Load a match. Raises Match.DoesNotExist. With `lock`, it stays locked until the transaction ends."""
    found = MATCH.rows([match_id], locked=lock)
    if not found:
        raise Match.DoesNotExist
    return LoadedMatch(found[0], SEATS.rows([match_id]))


def load_matches(match_ids: Collection[str], *, lock: bool = False, skip_locked: bool = False) -> list[LoadedMatch]:
    """Load several matches in id order, so that two callers never deadlock.

    `skip_locked` leaves out matches that another transaction has locked.
    """
    matches = (locked(skip=skip_locked) if lock or skip_locked else Match.objects.all()).filter(pk__in=match_ids)
    found = {match.pk: (match, list[Seat]()) for match in matches.order_by("pk")}
    for seat in seats_of(list(found)):
        found[seat.match_id][1].append(seat)
    return [LoadedMatch(match, seats) for match, seats in found.values()]


def seats_of(match_ids: Collection[str]) -> QuerySet[Seat]:
    return in_seat_order(Seat.objects.filter(match__in=match_ids))


def in_seat_order(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("user").order_by("number", "joined_at", "id")


def locked(*, skip: bool = False) -> QuerySet[Match]:
    """Lock with `no_key`: matches are never deleted, so new messages and notes do not have to wait."""
    return Match.objects.select_for_update(no_key=True, skip_locked=skip)


def save_seats(matches: Iterable[LoadedMatch]) -> None:
    if changes := changes_of_seats(matches):
        sql.run(changes)


def changes_of_seats(matches: Iterable[LoadedMatch]) -> list[sql.Statement]:
    """Update only the columns that changed, because visits are recorded without a lock."""
    changed: list[tuple[Model, list[str]]] = []
    for loaded in matches:
        for seat in loaded.seats:
            before, now = loaded.stored[seat.pk], seat_values(seat)
            if before != now:
                names = [name for name, old, new in zip(SEAT_FIELDS, before, now, strict=True) if old != new]
                changed.append((seat, names))
                loaded.stored[seat.pk] = now
    return sql.update_each(changed, latest={"visited_at"})
