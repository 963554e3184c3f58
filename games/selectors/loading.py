"""A match with its seats and its position, as the services work on it."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from clock.days_off import with_days_off
from clock.outages import with_outages
from core import bulk_writes, vault
from core.bulk_writes import Statement
from core.prepared import Prepared
from games.engine import fairness
from games.engine.registry import AnyEngine, engine
from games.engine.text import listing
from games.models import Event, Match, Move, Refusal, Seat
from notifications.models import Notification, Webhook

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
class Unwritten:
    """What moves have made happen and is not in the database yet (games.services.record)."""

    moves: list[Move] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    notices: list[Notification] = field(default_factory=list)


@dataclass
class LoadedMatch:
    match: Match
    seats: list[Seat]
    """In seat order once the match has started, in the order of joining before."""
    answered: frozenset[int | None] = frozenset()
    """The users whose request of the key in question has had its answer."""
    saved: dict[int, tuple[Any, ...]] = field(init=False)
    """The seats' values as they are in the database."""
    unwritten: Unwritten = field(default_factory=Unwritten, init=False)

    def __post_init__(self) -> None:
        self.saved = {seat.pk: seat_values(seat) for seat in self.seats}

    def save_seats(self) -> None:
        save_seats([self])

    def changed_seats(self) -> Iterator[tuple[Seat, list[str]]]:
        """Seats with the names of what has changed in them; from then on they count as saved."""
        for seat in self.seats:
            was, now = self.saved[seat.pk], seat_values(seat)
            if was != now:
                yield seat, [name for name, old, new in zip(SEAT_FIELDS, was, now, strict=True) if old != new]
                self.saved[seat.pk] = now

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


def match_name(table: LoadedMatch, seat: Seat | None) -> str:
    """Coloretto with Ben and Cleo"""
    others = [player_name(other) for other in table.seats if other != seat]
    return f"{table.engine.title} with {listing(others)}" if others else table.engine.title


MATCH = Prepared(lambda match_id: Match.objects.filter(pk=match_id))
LOCKED_MATCH = Prepared(lambda match_id: locked().filter(pk=match_id))
SEATS = Prepared(lambda match_id: seats_of([match_id]))
SEATS_WITH_ANSWERS = Prepared(
    lambda match_id, key: seats_of([match_id]).annotate(has_answer=was_answered(match_id, key))  # type: ignore[no-redef]
)


def load_match(match_id: str, *, lock: bool = False, key: str | None = None) -> LoadedMatch:
    """Raises Match.DoesNotExist. With `lock`, the match row stays ours until the transaction ends: SQLite's
    transactions are exclusive from their beginning, other databases lock the row. With `key`, it is also
    known whose request of that key has been answered: asked after the lock is ours, and in the same query."""
    found = (LOCKED_MATCH if lock else MATCH).ask(match_id)
    if not found:
        raise Match.DoesNotExist
    if key is None:
        return LoadedMatch(found[0], SEATS.ask(match_id))
    seats = SEATS_WITH_ANSWERS.ask(match_id, key)
    return LoadedMatch(found[0], seats, frozenset(seat.user_id for seat in seats if seat.has_answer))


def load_matches(match_ids: Collection[str], *, lock: bool = False, skip_locked: bool = False) -> list[LoadedMatch]:
    """Many at once, in the order of their ids, so that two who lock many never wait for each other. With `skip_locked`
    nobody is waited for at all: those that somebody else has locked are left out."""
    matches = (locked(skip=skip_locked) if lock or skip_locked else Match.objects.all()).filter(pk__in=match_ids)
    found = {match.pk: (match, list[Seat]()) for match in matches.order_by("pk")}
    for seat in seats_of(list(found)):
        found[seat.match_id][1].append(seat)
    return [LoadedMatch(match, seats) for match, seats in found.values()]


def seats_of(match_ids: Collection[str]) -> QuerySet[Seat]:
    """With all that is needed to ask their players anything."""
    return seats_to_ask().filter(match__in=match_ids)


@cache
def seats_to_ask() -> QuerySet[Seat]:
    """Kept, since to put this query together takes as long as to ask it."""
    seats = with_outages(with_days_off(in_seat_order(Seat.objects.all())))
    return seats.annotate(has_webhook=Exists(Webhook.objects.filter(user=OuterRef("user"), off_since=None)))  # type: ignore[no-redef]


def save_seats(tables: Iterable[LoadedMatch]) -> None:
    if changes := changes_of_seats(tables):
        bulk_writes.run(changes)


def changes_of_seats(tables: Iterable[LoadedMatch]) -> list[Statement]:
    """Only what has changed in each seat: a player's visit may be written at the same moment, without the lock."""
    changed = [change for table in tables for change in table.changed_seats()]
    return bulk_writes.update_each(changed, latest={"visited_at"})


def locked(*, skip: bool = False) -> QuerySet[Match]:
    """No match ever goes, so whoever only writes something about it (table talk, a note) need not wait."""
    return Match.objects.select_for_update(no_key=True, skip_locked=skip)


def in_seat_order(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("user").order_by("number", "joined_at", "id")


def was_answered(match_id: str, key: str) -> Exists | Q:
    accepted = Move.objects.filter(match_id=match_id, seat=OuterRef("number"), key=key)
    refused = Refusal.objects.filter(match_id=match_id, user_id=OuterRef("user_id"), key=key)
    return Exists(accepted) | Exists(refused)
