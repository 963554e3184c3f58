"""From an idea to a running match: create, invite, join, leave, start; and the ways it may end before its end."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from clock import proposals, stand_ins
from core import tally, vault
from core.refusals import Refused
from games import pace
from games.engine import fairness
from games.engine.dice import Dice
from games.engine.registry import engine
from games.engine.replay import FIRST_TURN
from games.models import Match, Phase, Seat
from games.models.invitation import Answer
from games.pace import Pace
from games.selectors import access
from games.selectors.loading import LoadedMatch, load_match, seats_of
from games.services import notices, record
from notifications import outbox
from notifications.models.notification import NotificationKind

GATHERING_TIME = timedelta(days=30)
SECRET_BYTES = 32


@dataclass(frozen=True)
class Plan:
    """What the owner of a new match has in mind."""

    game: str
    seat_count: int
    pace: Pace = pace.DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    is_private: bool = False


@transaction.atomic
def create(owner: User, plan: Plan, salt: str | None = None) -> LoadedMatch:
    """The owner sits down first. The hash of the server's secret is public from now on, before any salt is known."""
    game = engine(plan.game)
    options = game.read_options(plan.options)
    game.check_setup(plan.seat_count, options)
    secret, now = secrets.token_bytes(SECRET_BYTES), timezone.now()
    match = Match.objects.create(
        game=game.slug,
        options=msgspec.to_builtins(options),
        seat_count=plan.seat_count,
        title=plan.title,
        owner=owner,
        is_private=plan.is_private,
        **asdict(plan.pace),
        created_at=now,
        expires_at=now + GATHERING_TIME,
        locked_secret=vault.lock(secret),
        secret_hash=fairness.secret_hash(secret),
    )
    return LoadedMatch(match, [sit_down(match, owner, salt, now)])


def sit_down(match: Match, user: User, salt: str | None, at: datetime) -> Seat:
    return Seat.objects.create(
        match=match,
        user=user,
        joined_at=at,
        salt=salt or secrets.token_hex(16),
        salt_by_player=bool(salt),
    )


@transaction.atomic
def join(match_id: str, user: User, salt: str | None = None) -> LoadedMatch:
    """Takes a seat in an open match, or accepts an invitation. The last to join starts it."""
    table = gathering_table(match_id, user)
    if table.seat_of(user.pk):
        raise Refused(409, "already_seated", "You already sit in this match.", "Wait for the others, or start it.")
    if len(table.seats) >= table.match.seat_count:
        raise Refused(409, "match_full", "All seats of this match are taken.", "Look for another open match.")
    invited = access.invitations_to(user).filter(match=table.match).update(answer=Answer.ACCEPTED)
    if table.match.is_private and not invited:
        raise access.no_such_match(match_id)
    sit_down(table.match, user, salt, timezone.now())
    table = LoadedMatch(table.match, list(seats_of([match_id])))
    if len(table.seats) == table.match.seat_count:
        begin(table)
    return table


@transaction.atomic
def leave(match_id: str, user: User) -> LoadedMatch:
    """Gives one's seat back before the start. The owner cancels instead."""
    table = gathering_table(match_id, user)
    seat = access.own_seat(table, user)
    if table.match.owner_id == user.pk:
        raise Refused(409, "owner_stays", "The owner cannot leave the match.", "Cancel it instead.")
    seat.delete()
    table.seats.remove(seat)
    return table


@transaction.atomic
def start(match_id: str, user: User) -> LoadedMatch:
    """The owner starts with fewer players than planned, if the game can be played by so many."""
    table = gathering_table(match_id, user)
    access.require_owner(table, user)
    options = table.engine.read_options(table.match.options)
    table.engine.check_setup(len(table.seats), options)
    begin(table)
    return table


@transaction.atomic
def cancel(match_id: str, user: User) -> LoadedMatch:
    table = gathering_table(match_id, user)
    access.require_owner(table, user)
    close(table, Phase.CANCELLED, [seat for seat in table.seats if seat.user_id != user.pk])
    return table


def abandon(match_id: str, user: User, *, agreed: bool) -> LoadedMatch:
    """Notes that a player would end the match here; once all who still play agree, it ends without a result. The others
    are asked by mail, so there are limits."""
    if agreed:
        tally.spend("proposal", str(user.pk))
    return note_wish_to_abandon(match_id, user, agreed=agreed)


@transaction.atomic
def note_wish_to_abandon(match_id: str, user: User, *, agreed: bool) -> LoadedMatch:
    table, now = access.visible_table(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(table, user)
    access.require_phase(table, Phase.RUNNING)
    is_asked_already = bool(proposals.who_would_abandon(table))
    seat.wants_to_abandon = agreed
    table.save_seats()
    proposals.abandon_if_agreed(table, now)
    if table.match.phase == Phase.RUNNING and not is_asked_already:
        proposals.ask_to_abandon(table, now)
    return table


def expire(now: datetime) -> int:
    """Ends matches that never started. Returns how many."""
    late = Match.objects.filter(phase=Phase.GATHERING, expires_at__lte=now)
    return sum(expire_one(match_id) for match_id in late.values_list("pk", flat=True))


@transaction.atomic
def expire_one(match_id: str) -> bool:
    """Not if it has started or was cancelled meanwhile."""
    table = load_match(match_id, lock=True)
    if table.match.phase != Phase.GATHERING:
        return False
    close(table, Phase.EXPIRED, table.seats)
    return True


def gathering_table(match_id: str, user: User) -> LoadedMatch:
    table = access.visible_table(match_id, user, lock=True)
    access.require_phase(table, Phase.GATHERING)
    return table


def close(table: LoadedMatch, phase: Phase, told: Sequence[Seat]) -> None:
    """Ends a match that has not begun. Nobody has drawn a seat yet, so it is told to people, not to seats."""
    now = timezone.now()
    table.match.phase, table.match.ended_at = phase, now
    table.match.save(update_fields=["phase", "ended_at"])
    outbox.owe(notices.to_seats(table, told, NotificationKind.MATCH_OVER, now, turn=None))


def begin(table: LoadedMatch) -> None:
    """Draws the seats, deals, and asks the first players: all from the secret and everybody's salt."""
    match, now = table.match, timezone.now()
    match.seat_count = len(table.seats)
    match.salts = [seat.salt for seat in table.seats]
    match.seating = fairness.seating(table.seed, len(table.seats))
    table.seats = [table.seats[player] for player in match.seating]
    for number, seat in enumerate(table.seats):
        seat.number, seat.bank = number, match.bank
    options = table.engine.read_options(match.options)
    started = table.engine.new_match(len(table.seats), options, Dice(table.seed, 0))
    match.phase, match.started_at, match.turn = Phase.RUNNING, now, FIRST_TURN
    match.head = fairness.chain_start(table.terms)
    match.locked_state = vault.lock(table.engine.states.dump(started.state))
    record.note_events(table, started.events, now)
    told = record.await_seats(table, table.engine.awaiting(started.state), advanced=True, at=now)
    match.save()
    match.invitations.filter(answer=Answer.OPEN).update(answer=Answer.WITHDRAWN)
    others = [seat for seat in table.seats if seat not in told]
    table.unwritten.notices += notices.to_seats(table, others, NotificationKind.MATCH_STARTED, now)
    table.unwritten.notices += notices.to_seats(table, told, NotificationKind.YOUR_TURN, now)
    stand_ins.go_on(table, now)
    record.write_down(table)
