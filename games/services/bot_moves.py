"""Make the bots' moves in jobs. A worker thinks outside of any transaction, then makes the move through the same
service as players.

A row marks a match in which bots have to move. It is written together with the previous move, and deleted together with
the bots' last move, while the match is locked. A killed worker therefore loses nothing, and no move is made twice.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge

from core.announcements import listens_to
from core.jobs import Backoff, Claim, IsOver, Queue, wake, worker
from core.logs import about_match
from core.metrics import age, backlog
from games.engine.dice import Dice
from games.models import BotTurn, Match, Phase, Progress, Source
from games.selectors.loading import LoadedMatch, load_match
from games.services import moves, thinking
from games.services.announcements import SeatsToMove
from games.services.moves import Actor
from games.shapes import MoveRefused

logger = logging.getLogger(__name__)

BOTS = "bots"
"""The name of the job that makes bots' moves."""
SLOW_LEVEL = "hard"
SHORTEST = 0.2
"""How many seconds a hard bot thinks even if many matches are waiting. These seconds give it most of its strength."""
QUEUE = Queue(
    BotTurn,
    state="progress",
    queued=Progress.QUEUED,
    claimed=Progress.THINKING,
    lease=timedelta(minutes=1),
    most_tries=5,
    backoff=Backoff(first=timedelta(seconds=5), longest=timedelta(minutes=10)),
    order=("is_slow", "due_at"),
)

Decisions = Mapping[tuple[int, int], Any]
"""The moves that bots have decided on, by seat and turn."""


class BotSeat(NamedTuple):
    """A seat that a bot has to move for. With `whole_turn`, the bot makes all steps of the turn together."""

    seat: int
    level: str
    whole_turn: bool = False


class Role(Protocol):
    """A reason for bots to move."""

    def seats(self, loaded: LoadedMatch, now: datetime) -> Sequence[BotSeat]:
        """Return the seats for which bots currently have to move."""

    def play(self, loaded: LoadedMatch, decisions: Decisions, now: datetime) -> None:
        """Make the moves that are still possible, and write them. The caller must lock the match first."""


class OwnSeats:
    """Bots that occupy seats."""

    def seats(self, loaded: LoadedMatch, now: datetime) -> Sequence[BotSeat]:
        return [BotSeat(seat.drawn, seat.bot_level) for seat in loaded.seats if seat.is_bot and seat.awaited_since]

    def play(self, loaded: LoadedMatch, decisions: Decisions, now: datetime) -> None:
        for seat in loaded.seats:
            turn = loaded.match.turn
            move = decisions.get((seat.drawn, turn))
            if seat.is_bot and seat.awaited_since and move is not None:
                actor = Actor(Source.BOT, seat=seat.drawn)
                result = moves.submit_to(loaded, seat, actor, loaded.engine.notation(move), turn)
                if isinstance(result, MoveRefused):
                    raise RuntimeError(f"A bot's move was refused: {result.message}")


_roles: list[Role] = [OwnSeats()]


def register(role: Role) -> None:
    """Let another app register a reason for bots to move."""
    _roles.append(role)


def seats_for_bots(loaded: LoadedMatch, now: datetime) -> list[BotSeat]:
    if loaded.match.phase != Phase.RUNNING:
        return []
    return [seat for role in _roles for seat in role.seats(loaded, now)]


@listens_to(SeatsToMove)
def queue_if_needed(ready: SeatsToMove) -> None:
    if seats := seats_for_bots(ready.loaded, ready.at):
        queue(ready.loaded, ready.at, is_slow=is_slow(seats))


def queue(loaded: LoadedMatch, now: datetime, *, is_slow: bool = False) -> None:
    """Add a row to the next write, unless there is one already. The caller must lock the match first."""
    if not any(isinstance(row, BotTurn) for row in loaded.new_rows):
        loaded.new_rows.append(BotTurn(match=loaded.match, due_at=now, is_slow=is_slow))
        transaction.on_commit(partial(wake, BOTS))


def is_slow(seats: Sequence[BotSeat]) -> bool:
    return any(seat.level == SLOW_LEVEL for seat in seats)


@worker(BOTS, longest=60, at_once=max(1, settings.BOT_PROCESSES), apart=True)
def play_due(is_over: IsOver = lambda: False) -> None:
    """Move in every match in which bots have to move."""
    for claim in QUEUE.claims(is_over, most=1):
        for job in claim.jobs:
            with about_match(job.match_id):
                play_safely(job, claim)


def play_safely(job: BotTurn, claim: Claim[BotTurn]) -> None:
    """Make the bots' moves, or minimal moves if the worker has crashed too often."""
    try:
        play(job, claim.token, thinks=job not in claim.exhausted)
    except Exception:
        logger.exception("The bots failed in match %s.", job.match_id)
        QUEUE.held(claim.token).filter(pk=job.pk).update(**QUEUE.again(job.tries + 1, timezone.now()))


def play(job: BotTurn, token: str, *, thinks: bool = True) -> None:
    loaded = load_match(job.match_id)
    seconds = seconds_to_think(loaded.match) if thinks else 0.0
    decisions = {
        key: move for seat in seats_for_bots(loaded, timezone.now()) for key, move in decide(loaded, seat, seconds)
    }
    with transaction.atomic():
        loaded, now = load_match(job.match_id, lock=True), timezone.now()
        if not QUEUE.held(token).filter(pk=job.pk).exists():
            return  # The lease has ended, and another worker has taken over.
        for role in _roles:
            if loaded.match.phase == Phase.RUNNING:
                role.play(loaded, decisions, now)
        settle(job, loaded, now)


def seconds_to_think(match: Match) -> float:
    """Return how long a hard bot may think. It has less time if other matches are waiting."""
    longest = match.think or settings.BOT_SECONDS
    waiting = QUEUE.due(timezone.now()).count()
    return min(longest, max(SHORTEST, longest / (1 + waiting)))


def decide(loaded: LoadedMatch, bot: BotSeat, seconds: float) -> Iterator[tuple[tuple[int, int], Any]]:
    """Decide the steps of a turn.

    Later steps are decided with the cards that earlier steps will reveal. Without time to think, the moves are minimal.
    """
    engine, state, turn = loaded.engine, loaded.state, loaded.match.turn
    while True:
        move = (
            thinking.decide(engine, state, bot.seat, bot.level, seconds)
            if seconds
            else engine.on_timeout(state, bot.seat)
        )
        yield (bot.seat, turn), move
        if not bot.whole_turn:
            return
        played = engine.play(state, bot.seat, move, Dice(loaded.seed, turn))
        state, turn = played.state, turn + (not played.quiet)
        if not engine.is_mid_turn(state):
            return


def settle(job: BotTurn, loaded: LoadedMatch, now: datetime) -> None:
    """Delete the row if no bot has to move anymore."""
    if seats := seats_for_bots(loaded, now):
        BotTurn.objects.filter(pk=job.pk).update(is_slow=is_slow(seats), claim="", **QUEUE.later(now))
        transaction.on_commit(partial(wake, BOTS))
    else:
        BotTurn.objects.filter(pk=job.pk).delete()


@backlog
def waiting(now: datetime) -> Iterator[Gauge]:
    oldest = BotTurn.objects.filter(progress=Progress.QUEUED, due_at__lte=now).aggregate(oldest=Min("due_at"))["oldest"]
    count = BotTurn.objects.count()
    yield Gauge("turnpost_bots_queue_matches", "Matches in which bots have to move.", value=count)
    yield Gauge("turnpost_bots_queue_age_seconds", "The longest time a match has waited.", value=age(oldest, now))
