"""Review finished matches: find what a search would have done with what the player knew.

A job computes this. Each decision gets the same share of the processor time, so that all reviews of a match stay within
MOST_SECONDS.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core import vault
from core.jobs import Claim, IsOver, Queue, wake, worker
from core.logs import about_match
from core.refusals import Conflict
from games.engine.proof import Replay
from games.models import Move, Phase, Review, ReviewState, Seat, Source
from games.selectors import access, history
from games.selectors.loading import LoadedMatch, load_match
from games.services import thinking
from games.services.thinking import ThinkingFailed
from games.shapes import ReviewedDecision

logger = logging.getLogger(__name__)

REVIEWS = "reviews"
"""The name of this kind of job."""
MOST_SECONDS = 60.0
"""The processor time for all decisions in a match."""
SECONDS = 1.0
"""The maximum processor time per decision."""
BY_PLAYERS = (Source.API, Source.MAIL)
QUEUE = Queue(
    Review,
    state="state",
    queued=ReviewState.QUEUED,
    claimed=ReviewState.THINKING,
    lease=timedelta(minutes=2),
    most_tries=5,
)

_decisions = msgspec.json.Decoder(list[ReviewedDecision])


@dataclass(frozen=True)
class Decision:
    state: Any
    turn: int
    seat: int
    move: Any


def review(match_id: str, user: User) -> Review:
    """Return the user's review of a finished match. The first call queues it."""
    loaded = access.visible_match(match_id, user)
    seat = access.own_seat(loaded, user)
    if loaded.match.phase != Phase.FINISHED:
        raise Conflict(
            "not_finished",
            "Only finished matches can be reviewed.",
            "Come back when the match is over.",
            phase=loaded.match.phase,
        )
    known = Review.objects.filter(match=loaded.match, user=user).first()
    return known or queue(loaded, seat, user)


def queue(loaded: LoadedMatch, seat: Seat, user: User) -> Review:
    total = sum(1 for _ in own_moves(loaded, seat))
    with transaction.atomic():
        made, _ = Review.objects.get_or_create(
            match=loaded.match, user=user, defaults={"total": total, "due_at": timezone.now()}
        )
        transaction.on_commit(partial(wake, REVIEWS))
    return made


def decisions_in(of: Review) -> list[ReviewedDecision]:
    return _decisions.decode(vault.decrypt(of.encrypted_decisions)) if of.encrypted_decisions else []


def own_moves(loaded: LoadedMatch, seat: Seat) -> Iterator[Move]:
    """Yield the moves that the player made and that took effect."""
    for slot in history.effective_slots(loaded.match.moves.order_by("number")):
        move = slot.move
        if (
            slot.took_effect
            and move.seat == seat.number
            and move.source in BY_PLAYERS
            and move.made_at >= seat.joined_at
        ):
            yield move


def decisions_of(loaded: LoadedMatch, seat: Seat) -> list[Decision]:
    """Return each of the player's moves, with the position in which it was made."""
    own = {move.number for move in own_moves(loaded, seat)}
    replay = Replay(loaded.engine, loaded.terms, vault.decrypt(loaded.match.encrypted_secret))
    found = []
    for row in loaded.match.moves.order_by("number"):
        move = loaded.engine.moves.load(history.content(row))
        if row.number in own:
            found.append(Decision(replay.state, row.turn, row.seat, move))
        replay.play(row.seat, move)
    return found


def seconds_per_decision(loaded: LoadedMatch) -> float:
    made = loaded.match.moves.filter(source__in=BY_PLAYERS).count()
    return min(SECONDS, MOST_SECONDS / max(made, 1))


@worker(REVIEWS, longest=60, apart=True)
def review_due(is_over: IsOver = lambda: False) -> None:
    for claim in QUEUE.claims(is_over, most=1):
        for job in claim.jobs:
            with about_match(job.match_id):
                work_on(job, claim, is_over)


def work_on(job: Review, claim: Claim[Review], is_over: IsOver) -> None:
    """Continue where an earlier attempt stopped. A review that keeps crashing ends with the decisions it has."""
    if job in claim.exhausted:
        logger.error("A review of match %s failed.", job.match_id)
        QUEUE.held(claim.token).filter(pk=job.pk).update(state=ReviewState.DONE)
        return
    loaded = load_match(job.match_id)
    seat = loaded.seat_of(job.user_id)
    wanted = decisions_of(loaded, seat) if seat else []
    seconds, reviewed = seconds_per_decision(loaded), decisions_in(job)
    for number, decision in enumerate(wanted[job.done :], start=job.done + 1):
        if is_over():
            QUEUE.held(claim.token).filter(pk=job.pk).update(**QUEUE.later(timezone.now()))
            return
        reviewed += judged(loaded, decision, seconds)
        if not save_progress(job, claim.token, number, reviewed):
            return
    QUEUE.held(claim.token).filter(pk=job.pk).update(state=ReviewState.DONE, done=len(wanted), total=len(wanted))


def judged(loaded: LoadedMatch, decision: Decision, seconds: float) -> list[ReviewedDecision]:
    """Review a decision. Returns an empty list for a forced move."""
    engine = loaded.engine
    try:
        found = thinking.compare(engine, decision.state, decision.seat, decision.move, seconds)
    except ThinkingFailed as failure:
        logger.error("A decision could not be reviewed. %s", failure)
        return []
    if found is None:
        return []
    return [
        ReviewedDecision(
            turn=decision.turn,
            move=engine.notation(decision.move),
            best=engine.notation(found.best),
            chance=round(found.chance, 3),
            best_chance=round(found.best_chance, 3),
            cost=round(max(found.best_chance - found.chance, 0.0), 3),
        )
    ]


def save_progress(job: Review, token: str, done: int, reviewed: list[ReviewedDecision]) -> bool:
    """Save the progress and extend the lease. Returns False if another worker has taken over."""
    changes = {"done": done, "encrypted_decisions": vault.encrypt(msgspec.json.encode(reviewed))}
    return bool(QUEUE.held(token).filter(pk=job.pk).update(due_at=timezone.now() + QUEUE.lease, **changes))
