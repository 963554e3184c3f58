"""Play for absent players until they come back.

Stand-ins play a bot's moves, or minimal moves if the match is set up that way.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from clock import deadlines
from core.announcements import listens_to
from games.models import Absent, Phase, Seat, Source
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import bot_moves, moves
from games.services.announcements import SeatsToMove
from games.services.bot_moves import Decisions
from games.services.moves import Actor

MOST_MOVES_AT_ONCE = 100
"""The maximum number of moves per transaction. Stand-ins' seats are always due, so the next sweep continues."""
NOTHING_DECIDED: Decisions = {}


@transaction.atomic
def come_back(match_id: str, user: User) -> LoadedMatch:
    """Give the seat back to its player, with the full move time if it is their turn."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    access.require_not_resigned(seat)
    seat.visited_at = now
    relieve(loaded, seat, now)
    loaded.save_seats()
    return loaded


def relieve(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    """Let a player take over from the stand-in. The caller saves the seat."""
    seat.timeouts, seat.stand_in_since, seat.resigned_at = 0, None, None
    if seat.awaited_since and not seat.counted_from:
        deadlines.start(loaded.match, seat, now, new_turn=True)


def vacate(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    """Give a stand-in the seat of a player who has left for good.

    If it is that player's turn, the seat becomes due immediately. The caller saves it.
    """
    seat.user, seat.encrypted_orders = None, ""
    if seat.awaited_since:
        deadlines.start(loaded.match, seat, now, new_turn=True)


@listens_to(SeatsToMove)
def play_for_stand_ins(ready: SeatsToMove) -> None:
    play_on(ready.loaded, ready.at, watching=ready.watching)


def play_on(
    loaded: LoadedMatch, at: datetime, decisions: Decisions = NOTHING_DECIDED, *, watching: Seat | None = None
) -> None:
    """Play for stand-ins until it is a player's turn, or until a bot has to think.

    If no players are left, the match ends without a result. The caller saves the moves.
    """
    for _ in range(MOST_MOVES_AT_ONCE):
        seat = awaited_stand_in(loaded)
        if seat is None:
            return
        if not any(other.is_present for other in loaded.seats):
            moves.abandon(loaded, at)
        elif can_play(loaded, seat, decisions):
            play_for(loaded, seat, Source.STAND_IN, at, decisions, watching=watching)
        else:
            bot_moves.queue(loaded, at)
            return


def awaited_stand_in(loaded: LoadedMatch) -> Seat | None:
    if loaded.match.phase != Phase.RUNNING:
        return None
    return next((seat for seat in loaded.seats if seat.awaited_since and seat.has_stand_in), None)


def can_play(loaded: LoadedMatch, seat: Seat, decisions: Decisions) -> bool:
    """Return whether a move can be made for an absent player now, because minimal moves are enough in this match or a
    bot has already decided on a move."""
    return loaded.match.absent == Absent.MINIMAL or (seat.drawn, loaded.match.turn) in decisions


def play_for(
    loaded: LoadedMatch,
    seat: Seat,
    source: Source,
    at: datetime,
    decisions: Decisions,
    *,
    watching: Seat | None = None,
) -> None:
    """Make one move for an absent player. The caller has locked the match."""
    decided = decisions.get((seat.drawn, loaded.match.turn))
    move = loaded.engine.on_timeout(loaded.state, seat.drawn) if decided is None else decided
    moves.make_move(loaded, seat, move, Actor(source), at=at, watching=watching)
