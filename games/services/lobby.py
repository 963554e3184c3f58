"""Handle matches before they start: create, join, leave, start, cancel and expire them."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core import vault
from core.announcements import announce
from core.housekeeping import hourly
from core.refusals import Conflict, Invalid
from games.bots import player as bot_player
from games.engine import fairness
from games.engine.dice import Dice
from games.engine.proof import FIRST_TURN
from games.engine.registry import engine
from games.models import Absent, Match, Phase, Salts, Seat, pace
from games.models.invitation import Answer
from games.models.pace import Pace
from games.selectors import access, proofs
from games.selectors.loading import LoadedMatch, load_match, seats_of
from games.services import moves, salts
from games.services.announcements import MatchClosed, MatchStarted, SeatsToMove
from games.services.salts import NO_SHARE, Share
from games.services.seats import (
    USUAL_LEVEL,
    bots_not_allowed,
    check_may_play,
    is_full,
    sit_down,
    too_many_bots,
    with_bots,
)

GATHERING_TIME = timedelta(days=30)


@dataclass(frozen=True)
class Plan:
    """The settings of a new match."""

    game: str
    seat_count: int
    pace: Pace = pace.DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    is_private: bool = False
    salts: Salts = Salts.OPEN
    bots: int = 0
    level: str = USUAL_LEVEL
    allows_bots: bool | None = None
    """Whether bots may take seats. None means that they may do so only if the match is created with bots."""
    absent: Absent = Absent.BOT
    think: int | None = None
    """How long a hard bot may think about a move, in seconds. None means the server's default."""
    salt_follows: bool = False
    """Whether a match in which bots take all other seats waits for its owner's salt."""


@transaction.atomic
def create(owner: User, plan: Plan) -> LoadedMatch:
    """Create a match with its owner in the first seat.

    The owner sees the secret's hash before sending a salt. A match against bots starts immediately.
    """
    game = engine(plan.game)
    options = game.read_options(plan.options)
    game.check_setup(plan.seat_count, options)
    check_bots(plan, owner)
    secret, now = secrets.token_bytes(fairness.SECRET_BYTES), timezone.now()
    match = Match.objects.create(
        game=game.slug,
        rules=game.rules_version,
        options=msgspec.to_builtins(options),
        seat_count=plan.seat_count,
        title=plan.title,
        owner=owner,
        is_private=plan.is_private,
        salts=plan.salts,
        allows_bots=has_bots(plan, owner) if plan.allows_bots is None else plan.allows_bots,
        absent=plan.absent,
        think=plan.think,
        **asdict(plan.pace),
        created_at=now,
        expires_at=now + GATHERING_TIME,
        encrypted_secret=vault.encrypt(secret),
        secret_hash=fairness.secret_hash(secret),
    )
    loaded = LoadedMatch(match, [sit_down(match, owner, NO_SHARE, now)])
    loaded = with_bots(loaded, plan.bots, plan.level, now)
    if is_full(loaded) and not plan.salt_follows:
        reveal_or_begin(loaded)
    return loaded


def has_bots(plan: Plan, owner: User) -> bool:
    return plan.bots > 0 or owner.is_bot


def check_bots(plan: Plan, owner: User) -> None:
    bot_player(plan.level)
    if has_bots(plan, owner) and plan.allows_bots is False:
        raise bots_not_allowed(Invalid)
    if plan.bots >= plan.seat_count:
        raise too_many_bots(Invalid, plan.bots, plan.seat_count - 1)


@transaction.atomic
def add_bots(match_id: str, user: User, count: int | None, level: str) -> LoadedMatch:
    """Give free seats to bots, by default all of them. The match starts if no seat is left."""
    bot_player(level)
    loaded = gathering_match(match_id, user)
    access.require_owner(loaded, user)
    room = access.free_seats(loaded)
    if not loaded.match.allows_bots:
        raise bots_not_allowed(Conflict)
    if not room or (count or 0) > room:
        raise too_many_bots(Conflict, count or 1, room)
    loaded = with_bots(loaded, room if count is None else count, level, timezone.now())
    if is_full(loaded):
        reveal_or_begin(loaded)
    return loaded


@transaction.atomic
def join(match_id: str, user: User, share: Share = NO_SHARE) -> LoadedMatch:
    """Take a seat in an open match, or accept an invitation. The match starts when the last seat is taken.

    Joining again with the same salt changes nothing, so a client that got no response can repeat the request.
    """
    loaded = access.visible_match(match_id, user, lock=True)
    seat = loaded.seat_of(user.pk)
    if seat and salts.is_given(seat, share):
        return loaded
    access.require_phase(loaded, Phase.GATHERING)
    if seat:
        raise Conflict("already_seated", "You have already joined this match.", "Wait for the other players.")
    if is_full(loaded):
        raise Conflict("match_full", "This match is full.", "Look for another open match.")
    if access.free_seats(loaded, user) < 1:
        raise Conflict(
            "seats_reserved",
            "The remaining seats are reserved for invited players.",
            "Look for another open match, or ask a player to invite you.",
        )
    check_may_play(loaded, user)
    invited = access.invitations_to(user).filter(match=loaded.match).update(answer=Answer.ACCEPTED)
    if loaded.match.is_private and not invited:
        raise access.no_such_match(match_id)
    sit_down(loaded.match, user, share, timezone.now())
    loaded = LoadedMatch(loaded.match, list(seats_of([match_id])))
    if is_full(loaded):
        reveal_or_begin(loaded)
    return loaded


@transaction.atomic
def give_salt(match_id: str, user: User, share: Share) -> LoadedMatch:
    """Replace the salt that the server made for a player, or reveal the one they committed to.

    A match against bots that was waiting for this salt starts now.
    """
    loaded = access.visible_match(match_id, user, lock=True)
    seat = access.own_seat(loaded, user)
    if salts.is_given(seat, share):
        return loaded
    access.require_phase(loaded, Phase.GATHERING)
    if not loaded.match.reveal_by:
        salts.replace(loaded, seat, share)
        if is_full(loaded):
            reveal_or_begin(loaded)
        return loaded
    salts.reveal(loaded.match, seat, share)
    if not salts.missing(loaded):
        begin(loaded)
    return loaded


@transaction.atomic
def leave(match_id: str, user: User) -> LoadedMatch:
    """Give up a seat before the match starts. The owner can only cancel the match."""
    loaded = gathering_match(match_id, user)
    seat = access.own_seat(loaded, user)
    if loaded.match.owner_id == user.pk:
        raise Conflict("owner_stays", "You own this match, so you can't leave it.", "Cancel it instead.")
    seat.delete()
    loaded.seats.remove(seat)
    return loaded


@transaction.atomic
def start(match_id: str, user: User) -> LoadedMatch:
    """Start with the players who have joined, even if there are fewer than planned."""
    loaded = gathering_match(match_id, user)
    access.require_owner(loaded, user)
    options = loaded.engine.read_options(loaded.match.options)
    loaded.engine.check_setup(len(loaded.seats), options)
    reveal_or_begin(loaded)
    return loaded


@transaction.atomic
def cancel(match_id: str, user: User) -> LoadedMatch:
    loaded = gathering_match(match_id, user)
    access.require_owner(loaded, user)
    close(loaded, Phase.CANCELLED, [seat for seat in loaded.seats if seat.user_id != user.pk])
    return loaded


@hourly
def expire(now: datetime) -> int:
    """Close matches that did not start in time, and return how many were closed."""
    late = Match.objects.filter(phase=Phase.GATHERING, expires_at__lte=now, reveal_by=None)
    return sum(expire_one(match_id) for match_id in late.values_list("pk", flat=True))


@transaction.atomic
def expire_one(match_id: str) -> bool:
    """Close a match, unless it has started or was canceled in the meantime."""
    loaded = load_match(match_id, lock=True)
    if loaded.match.phase != Phase.GATHERING or loaded.match.reveal_by:
        return False
    close(loaded, Phase.EXPIRED, loaded.seats)
    return True


def gathering_match(match_id: str, user: User) -> LoadedMatch:
    loaded = access.visible_match(match_id, user, lock=True)
    access.require_phase(loaded, Phase.GATHERING)
    if loaded.match.reveal_by:
        raise Conflict(
            "revealing",
            "All seats are taken, and the players' clients are revealing their salts.",
            "The match starts as soon as they are done.",
        )
    return loaded


def reveal_or_begin(loaded: LoadedMatch) -> None:
    """Start the match, or first wait for the salts that players have committed to."""
    match = loaded.match
    if not salts.missing(loaded):
        begin(loaded)
        return
    match.seat_count, match.reveal_by = len(loaded.seats), timezone.now() + settings.REVEAL_TIME
    match.save(update_fields=["seat_count", "reveal_by"])
    match.invitations.filter(answer=Answer.OPEN).update(answer=Answer.WITHDRAWN)


def begin_overdue(now: datetime) -> int:
    """Start the matches whose deadline for revealing salts has passed, and return how many were started."""
    late = Match.objects.filter(reveal_by__lte=now)
    return sum(begin_one(match_id, now) for match_id in late.values_list("pk", flat=True))


@transaction.atomic
def begin_one(match_id: str, now: datetime) -> bool:
    loaded = load_match(match_id, lock=True)
    if not loaded.match.reveal_by or loaded.match.reveal_by > now:
        return False
    begin(loaded)
    return True


def close(loaded: LoadedMatch, phase: Phase, affected: Sequence[Seat]) -> None:
    """End a match that has not started."""
    now = timezone.now()
    loaded.match.phase, loaded.match.ended_at = phase, now
    loaded.match.save(update_fields=["phase", "ended_at"])
    announce(MatchClosed(loaded, list(affected), now))


def begin(loaded: LoadedMatch) -> None:
    """Draw the seats, deal the cards, and give the first players their turn.

    All randomness comes from the secret and the players' salts.
    """
    match, now = loaded.match, timezone.now()
    match.seat_count, match.reveal_by = len(loaded.seats), None
    match.players = msgspec.to_builtins(proofs.contributions(loaded))
    match.seating = fairness.seating(loaded.seed, len(loaded.seats))
    loaded.seats = [loaded.seats[player] for player in match.seating]
    for number, seat in enumerate(loaded.seats):
        seat.number = number
    options = loaded.engine.read_options(match.options)
    started = loaded.engine.new_match(len(loaded.seats), options, Dice(loaded.seed, 0))
    match.phase, match.started_at, match.turn = Phase.RUNNING, now, FIRST_TURN
    match.head = fairness.chain_start(loaded.terms)
    match.encrypted_state = vault.encrypt(loaded.engine.states.dump(started.state))
    loaded.state = started.state
    moves.append_events(loaded, started.events, now)
    asked, _ = moves.ask_seats(loaded, loaded.engine.awaiting(started.state), advanced=True, at=now)
    match.save()
    match.invitations.filter(answer=Answer.OPEN).update(answer=Answer.WITHDRAWN)
    announce(MatchStarted(loaded, asked, now))
    announce(SeatsToMove(loaded, watching=None, at=now))
    moves.write(loaded)
