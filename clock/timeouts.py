"""Handle time-outs: play for late players and notify everyone.

A bot chooses the move in a job (games.services.bot_moves), so that no sweep waits for it to think. Until that job has
run, the player can still move. Matches with minimal moves need no thinking, so the sweep makes those moves itself.
"""

from collections.abc import Sequence
from datetime import datetime

from clock import proposals, stand_ins
from clock.announcements import DeadlinePassed
from clock.deadlines import announce_reminders, is_late
from clock.stand_ins import NOTHING_DECIDED
from core.announcements import announce
from games.models import Absent, Seat, Source
from games.selectors.loading import LoadedMatch
from games.services import bot_moves, moves
from games.services.bot_moves import BotSeat, Decisions

LEVEL = "normal"


def any_late(loaded: LoadedMatch, now: datetime) -> bool:
    return any(is_late(seat, now) for seat in loaded.seats)


def time_out(loaded: LoadedMatch, now: datetime, decisions: Decisions = NOTHING_DECIDED) -> None:
    """Time out the late players. The caller has locked the match and recomputed its deadlines."""
    turn, late = loaded.match.turn, late_players(loaded, now)
    ready = [seat for seat in late if stand_ins.can_play(loaded, seat, decisions)]
    if len(ready) < len(late):
        bot_moves.queue(loaded, now)
    for seat in ready:
        miss_turn(loaded, seat, now, decisions)
    if any(seat.has_stand_in for seat in ready):
        proposals.reconsider(loaded, now)
    stand_ins.play_on(loaded, now, decisions)
    moves.play_on(loaded, now)
    moves.write(loaded)
    if ready:
        announce(DeadlinePassed(loaded, ready, turn, now))


def late_players(loaded: LoadedMatch, now: datetime) -> list[Seat]:
    return [seat for seat in loaded.seats if is_late(seat, now) and not seat.has_stand_in]


def miss_turn(loaded: LoadedMatch, seat: Seat, now: datetime, decisions: Decisions) -> None:
    seat.timeouts += 1
    if seat.timeouts >= loaded.match.patience:
        seat.stand_in_since = now
    else:
        finish_turn(loaded, seat, now, decisions)


def finish_turn(loaded: LoadedMatch, seat: Seat, now: datetime, decisions: Decisions) -> None:
    """Play all steps of the turn, so that nobody has to wait for the second half.

    If it is the same player's turn again, they get the full move time.
    """
    stand_ins.play_for(loaded, seat, Source.TIME_OUT, now, decisions)
    while loaded.engine.is_mid_turn(loaded.state):
        stand_ins.play_for(loaded, seat, Source.TIME_OUT, now, decisions)


class AbsentPlayers:
    """Lets bots decide for late players and stand-ins.

    Once the match is locked, the job checks again whether the bot should move. If the player has moved or taken the
    seat back in the meantime, the job does nothing.
    """

    def seats(self, loaded: LoadedMatch, now: datetime) -> Sequence[BotSeat]:
        if loaded.match.absent != Absent.BOT:
            return []
        away = [seat for seat in loaded.seats if seat.awaited_since and seat.has_stand_in]
        return [BotSeat(seat.drawn, LEVEL, whole_turn=True) for seat in [*late_players(loaded, now), *away]]

    def play(self, loaded: LoadedMatch, decisions: Decisions, now: datetime) -> None:
        if self.seats(loaded, now):
            announce_reminders([loaded], now)
            loaded.save_seats()
            time_out(loaded, now, decisions)


bot_moves.register(AbsentPlayers())
