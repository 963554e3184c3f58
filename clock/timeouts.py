"""Time-outs: play harmless moves for late players and notify everyone."""

from datetime import datetime

from clock import proposals, stand_ins
from clock.announcements import DeadlinePassed
from clock.deadlines import is_late
from core.announcements import announce
from games.models import Seat, Source
from games.selectors.loading import LoadedMatch
from games.services import moves


def any_late(loaded: LoadedMatch, now: datetime) -> bool:
    return any(is_late(seat, now) for seat in loaded.seats)


def time_out(loaded: LoadedMatch, now: datetime) -> None:
    """The caller has locked the match and recomputed its deadlines."""
    turn, late = loaded.match.turn, []
    for seat in loaded.seats:
        if is_late(seat, now) and not seat.has_stand_in:
            late.append(seat)
            miss_turn(loaded, seat, now)
    if any(seat.has_stand_in for seat in late):
        proposals.reconsider(loaded, now)
    stand_ins.play_on(loaded, now)
    moves.write(loaded)
    if late:
        announce(DeadlinePassed(loaded, late, turn, now))


def miss_turn(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    seat.timeouts += 1
    if seat.timeouts >= loaded.match.patience:
        seat.stand_in_since = now
    else:
        finish_turn(loaded, seat, now)


def finish_turn(loaded: LoadedMatch, seat: Seat, now: datetime) -> None:
    """Plays all steps of the turn, so that nobody waits for its second half. If the same player is next, they get the
    full move time."""
    stand_ins.play_for(loaded, seat, Source.TIME_OUT, now)
    while loaded.engine.is_mid_turn(loaded.state):
        stand_ins.play_for(loaded, seat, Source.TIME_OUT, now)
