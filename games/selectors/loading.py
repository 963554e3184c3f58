"""Load a match with its seats and position, for services and selectors."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

import msgspec
from django.db.models import Model, QuerySet

from accounts.authentication import IS_VALID, UncheckedToken
from accounts.models import User
from core import sql, vault
from games.engine import fairness, receipts
from games.engine.fairness import ChainedEvent
from games.engine.names import Names
from games.engine.records import canonical
from games.engine.registry import AnyEngine, engine
from games.engine.text import listing
from games.models import Event, Match, Move, Seat
from games.models.log import MAKERS

SEAT_FIELDS = [
    "number",
    "awaited_since",
    "asked_turn",
    "acted_through",
    "visited_at",
    "encrypted_orders",
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
    """Format a time the way it is hashed, as in 2026-11-17T14:05:09.000120Z."""
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


def receipt_of(loaded: "LoadedMatch", row: Move, move: Any, nonce: str) -> str:
    """Compute the receipt of a sealed move. An open move has none."""
    if not row.is_sealed:
        return ""
    shown, whole = canonical(loaded.engine.revealed(move)), canonical(move)
    return receipts.receipt(loaded.match.id, row.turn, row.seat, nonce, shown, whole)


@dataclass
class LoadedMatch:
    match: Match
    seats: list[Seat]
    """The seats in seat order or, before the match starts, in the order in which players joined."""
    stored: dict[int, tuple[Any, ...]] = field(init=False)
    """The values of the seats as stored in the database, used to find out what has changed."""
    stored_match: dict[str, Any] = field(init=False)
    """The values of the match as stored in the database. Values that were not loaded, as in lists, are missing."""
    new_rows: list[Model] = field(default_factory=list, init=False)
    """Rows to insert with the next write: moves, events, and rows added by listeners."""
    happened: list[ChainedEvent] = field(default_factory=list, init=False)
    """The events since the match was loaded."""
    orders_followed: int = field(default=0, init=False)
    """How many moves standing orders have made since the match was loaded."""
    archived: tuple[list[Move], list[Event]] | None = field(default=None, init=False)
    """The moves and events, once they have been unpacked from the archive (games.selectors.match_log)."""

    def __post_init__(self) -> None:
        self.stored = {seat.pk: seat_values(seat) for seat in self.seats}
        self.stored_match = dict(self.match.__dict__)

    @cached_property
    def engine(self) -> AnyEngine:
        return engine(self.match.game, self.match.rules)

    @cached_property
    def seed(self) -> bytes:
        salts = [player["salt"] for player in self.match.players]
        return fairness.match_seed(vault.decrypt_constant(self.match.encrypted_secret), salts)

    @cached_property
    def state(self) -> Any:
        """The current position, which each move replaces."""
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
        resigned = frozenset(one.drawn for one in self.seats if one.resigned_at)
        return Names(tuple(self.names), seat, resigned=resigned)

    def seat_of(self, user_id: int | None) -> Seat | None:
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def save_seats(self) -> None:
        save_seats([self])


def match_name(loaded: LoadedMatch, seat: Seat | None) -> str:
    """Describe the match to a player, as in "Coloretto with Ben and Cleo"."""
    others = [other.player_name for other in loaded.seats if other != seat]
    return f"{loaded.engine.title} with {listing(others)}" if others else loaded.engine.title


SEAT_ORDER = 'ORDER BY one."number", one."joined_at", one."id"'
MATCH = sql.Select(Match, 'WHERE one."id" = %s')
MATCH_IF_VALID = sql.Select(Match, f'WHERE one."id" = %s AND {IS_VALID}')
SEATS = sql.Select(Seat, f'WHERE one."match_id" = %s {SEAT_ORDER}', related="user")


@lru_cache(maxsize=256)
def seats_of_many(count: int) -> sql.Select[Seat]:
    """Select the seats of this many matches. Django would take longer to build this query than to run it."""
    return sql.Select(Seat, f'WHERE one."match_id" IN ({", ".join(["%s"] * count)}) {SEAT_ORDER}', related="user")


def load_match(match_id: str, *, lock: bool = False) -> LoadedMatch:
    """Load a match.

    Raise Match.DoesNotExist if there is none. With `lock`, it stays locked until the transaction ends.
    """
    found, seats = sql.read([(MATCH, [match_id]), (SEATS, [match_id])], lock_first=lock)
    if not found:
        raise Match.DoesNotExist
    return LoadedMatch(found[0], seats)


def load_with_token(match_id: str, token: UncheckedToken) -> tuple[LoadedMatch, User]:
    """Load and lock a match, and check a token in the same round trip. An invalid token locks nothing."""
    found, seats, tokens = sql.read(
        [(MATCH_IF_VALID, [match_id, *token.validity()]), (SEATS, [match_id]), token.lookup_alone()], lock_first=True
    )
    user = token.owner_among(tokens, (seat.user for seat in seats))
    if not found:
        raise Match.DoesNotExist
    return LoadedMatch(found[0], seats), user


def load_matches(match_ids: Collection[str], *, lock: bool = False, skip_locked: bool = False) -> list[LoadedMatch]:
    """Load several matches in the order of their IDs, so that two callers never deadlock.

    With `skip_locked`, matches that another transaction has locked are left out.
    """
    matches = (locked(skip=skip_locked) if lock or skip_locked else Match.objects.all()).filter(pk__in=match_ids)
    found = {match.pk: (match, list[Seat]()) for match in matches.order_by("pk")}
    for seat in seats_of_many(len(found)).rows(list(found)) if found else ():
        found[seat.match_id][1].append(seat)
    return [LoadedMatch(match, seats) for match, seats in found.values()]


def seats_of(match_ids: Collection[str]) -> QuerySet[Seat]:
    return in_seat_order(Seat.objects.filter(match__in=match_ids))


def in_seat_order(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("user").order_by("number", "joined_at", "id")


def locked(*, skip: bool = False) -> QuerySet[Match]:
    """Lock matches with FOR NO KEY UPDATE, so that new messages and notes, which only refer to a match, do not have to
    wait."""
    return Match.objects.select_for_update(no_key=True, skip_locked=skip)


def save_seats(matches: Iterable[LoadedMatch]) -> None:
    if changes := changes_of_seats(matches):
        sql.run(changes)


def changes_of_seats(matches: Iterable[LoadedMatch]) -> list[sql.Statement]:
    """Return updates for only the columns that have changed, because visits are recorded without a lock."""
    changes = []
    for loaded in matches:
        for seat in loaded.seats:
            before, now = loaded.stored[seat.pk], seat_values(seat)
            if before != now:
                names = [name for name, old, new in zip(SEAT_FIELDS, before, now, strict=True) if old != new]
                if "deadline" in names:
                    seat.deadline_changes += 1
                    names.append("deadline_changes")
                changes.append(sql.update(seat, names, latest={"visited_at"}))
                loaded.stored[seat.pk] = now
    return changes
