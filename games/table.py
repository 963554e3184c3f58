"""A match with its seats and its position, as the services work on it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import vault
from games.clock.vacations import with_days_off
from games.engine import fairness
from games.engine.registry import AnyEngine, engine
from games.models import Match, Move, Refusal, Seat

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
    "wants_to_abandon",
    "points",
    "place",
]
seat_values = attrgetter(*SEAT_FIELDS)


@dataclass
class Table:
    match: Match
    seats: list[Seat]
    """In seat order once the match has started, in the order of joining before."""
    answered: frozenset[int | None] = frozenset()
    """The users whose request of the key in question has had its answer."""
    saved: dict[int, tuple[Any, ...]] = field(init=False)
    """The seats' values as they are in the database."""

    def __post_init__(self) -> None:
        self.saved = {seat.pk: seat_values(seat) for seat in self.seats}

    def save_seats(self) -> None:
        save_seats([self])

    @cached_property
    def engine(self) -> AnyEngine:
        return engine(self.match.game)

    @cached_property
    def seed(self) -> bytes:
        return fairness.match_seed(vault.unlock(self.match.locked_secret), self.match.salts)

    @property
    def state(self) -> Any:
        return self.engine.states.load(vault.unlock(self.match.locked_state))

    @property
    def terms(self) -> fairness.Terms:
        match = self.match
        return fairness.Terms(match.id, match.game, match.options, match.secret_hash, tuple(match.salts))

    @property
    def names(self) -> list[str]:
        return [player_name(seat) for seat in self.seats]

    def seat_of(self, user_id: int | None) -> Seat | None:
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)


def player_name(seat: Seat) -> str:
    return seat.user.name if seat.user else "departed player"


def lay_table(match_id: str, *, lock: bool = False, key: str | None = None) -> Table:
    """Raises Match.DoesNotExist. With `lock`, the match row stays ours until the transaction ends: SQLite's
    transactions are exclusive from their beginning, other databases lock the row. With `key`, it is also
    known whose request of that key has been answered: asked after the lock is ours, and in the same query."""
    match = (locked() if lock else Match.objects.all()).get(pk=match_id)
    seats = seats_of([match_id])
    if key is None:
        return Table(match, list(seats))
    asked = list(seats.annotate(has_answer=was_answered(match_id, key)))
    return Table(match, list(asked), frozenset(seat.user_id for seat in asked if seat.has_answer))


def lay_tables(match_ids: Collection[str], *, lock: bool = False) -> list[Table]:
    """Many at once, in the order of their ids, so that two who lock many never wait for each other."""
    matches = (locked() if lock else Match.objects.all()).filter(pk__in=match_ids).order_by("pk")
    found = {match.pk: (match, list[Seat]()) for match in matches}
    for seat in seats_of(match_ids):
        found[seat.match_id][1].append(seat)
    return [Table(match, seats) for match, seats in found.values()]


def seats_of(match_ids: Collection[str]) -> QuerySet[Seat]:
    """With all that is needed to ask their players anything."""
    return with_days_off(in_seat_order(Seat.objects.filter(match__in=match_ids)))


def save_seats(tables: Iterable[Table]) -> None:
    """Writes what has changed in any of the seats, in one statement."""
    changed, fields = [], set()
    for table in tables:
        for seat in table.seats:
            was, now = table.saved[seat.pk], seat_values(seat)
            if was != now:
                changed.append(seat)
                fields |= {name for name, old, new in zip(SEAT_FIELDS, was, now, strict=True) if old != new}
                table.saved[seat.pk] = now
    if changed:
        Seat.objects.bulk_update(changed, sorted(fields))


def locked() -> QuerySet[Match]:
    return Match.objects.select_for_update()


def in_seat_order(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("user").order_by("number", "joined_at", "id")


def was_answered(match_id: str, key: str) -> Exists | Q:
    accepted = Move.objects.filter(match_id=match_id, seat=OuterRef("number"), key=key)
    refused = Refusal.objects.filter(match_id=match_id, user_id=OuterRef("user_id"), key=key)
    return Exists(accepted) | Exists(refused)
