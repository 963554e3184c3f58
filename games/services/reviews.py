"""Review finished matches, to find out what a search would have played, given what the player knew.

A job computes the review. Each decision gets the same share of the CPU time, so that all reviews of a match stay
within MOST_SECONDS.
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
from core.jobs import Backoff, Claim, IsOver, Queue, wake, worker
from core.logs import about_match
from core.refusals import Conflict
from games.engine.proof import Replay
from games.models import Move, Phase, Review, ReviewState, Seat, Source
from games.selectors import access, history, match_log
from games.selectors.loading import LoadedMatch, load_match
from games.services import thinking
from games.services.thinking import ThinkingFailed
from games.shapes import ReviewedDecision

logger = logging.getLogger(__name__)

REVIEWS = "reviews"
"""The name of the job that reviews a finished match."""
MOST_SECONDS = 60.0
"""The maximum CPU time for all decisions in a match, in seconds."""
SECONDS = 1.0
"""The maximum CPU time per decision, in seconds."""
BY_PLAYERS = (Source.API, Source.MAIL, Source.WEB)
QUEUE = Queue(
    Review,
    state="state",
    queued=ReviewState.QUEUED,
    claimed=ReviewState.THINKING,
    lease=timedelta(seconds=thinking.LONGEST_REVIEW + 60),
    most_tries=5,
    backoff=Backoff(first=timedelta(seconds=5)),
)

_decisions = msgspec.json.Decoder(list[ReviewedDecision])


@dataclass(frozen=True)
class Decision:
    state: Any
    turn: int
    seat: int
    move: Any


def review(match_id: str, user: User) -> Review:
    """Return the user's review of a finished match. The first call adds it to the queue."""
    loaded = access.visible_match(match_id, user)
    seat = access.own_seat(loaded, user)
    if loaded.match.phase != Phase.FINISHED:
        raise Conflict(
            "not_finished",
            "Only finished matches can be reviewed.",
            "Come back when the match is over.",
            phase=loaded.match.phase,
        )
    return started(loaded, user) or queue(loaded, seat, user)


def started(loaded: LoadedMatch, user: User) -> Review | None:
    """Return the user's review if they have already requested it."""
    return Review.objects.filter(match=loaded.match, user=user).first()


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
    for slot in history.effective_slots(match_log.moves(loaded)):
        move = slot.move
        if (
            slot.took_effect
            and move.seat == seat.number
            and move.source in BY_PLAYERS
            and move.made_at >= seat.joined_at
        ):
            yield move


def decisions_of(loaded: LoadedMatch, seat: Seat) -> list[Decision]:
    """Return each of the player's moves with the position in which it was made."""
    own = {move.number for move in own_moves(loaded, seat)}
    replay = Replay(loaded.engine, loaded.terms, vault.decrypt(loaded.match.encrypted_secret))
    found = []
    for row in match_log.moves(loaded):
        move = loaded.engine.moves.load(history.content(row))
        if row.number in own:
            found.append(Decision(replay.state, row.turn, row.seat, move))
        replay.play(row.seat, move)
    return found


def seconds_per_decision(loaded: LoadedMatch) -> float:
    made = sum(move.source in BY_PLAYERS for move in match_log.moves(loaded))
    return min(SECONDS, MOST_SECONDS / max(made, 1))


@worker(REVIEWS, longest=60, apart=True)
def review_due(is_over: IsOver = lambda: False) -> None:
    for claim in QUEUE.claims(is_over, most=1):
        for job in claim.jobs:
            with about_match(job.match_id):
                work_on(job, claim, is_over)


def work_on(job: Review, claim: Claim[Review], is_over: IsOver) -> None:
    """Continue where an earlier attempt stopped.

    If reviewing a decision fails, it is tried again later. If it keeps failing, the decision counts as missing. If the
    worker keeps crashing, all remaining decisions count as missing.
    """
    if job in claim.exhausted:
        logger.error("A review of match %s failed.", job.match_id)
        missing = job.missing + job.total - job.done
        QUEUE.held(claim.token).filter(pk=job.pk).update(state=ReviewState.DONE, done=job.total, missing=missing)
        return
    loaded = load_match(job.match_id)
    seat = loaded.seat_of(job.user_id)
    wanted = decisions_of(loaded, seat) if seat else []
    seconds, reviewed = seconds_per_decision(loaded), decisions_in(job)
    for decision in wanted[job.done :]:
        if is_over():
            QUEUE.held(claim.token).filter(pk=job.pk).update(**QUEUE.later(timezone.now()))
            return
        try:
            reviewed += judged(loaded, decision, seconds)
        except ThinkingFailed as failure:
            job.tries += 1
            if job.tries < QUEUE.most_tries:
                logger.warning("A decision could not be reviewed and will be tried again. %s", failure)
                again = QUEUE.again(job.tries, timezone.now())
                QUEUE.held(claim.token).filter(pk=job.pk).update(tries=job.tries, **again)
                return
            logger.error("A decision could not be reviewed. %s", failure)
            job.missing += 1
        job.done, job.tries = job.done + 1, 0
        if not save_progress(job, claim.token, reviewed):
            return
    QUEUE.held(claim.token).filter(pk=job.pk).update(state=ReviewState.DONE, done=len(wanted), total=len(wanted))


def judged(loaded: LoadedMatch, decision: Decision, seconds: float) -> list[ReviewedDecision]:
    """Review a decision. Return an empty list if the player had only one possible move."""
    engine = loaded.engine
    found = thinking.compare(engine, decision.state, decision.seat, decision.move, seconds)
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


def save_progress(job: Review, token: str, reviewed: list[ReviewedDecision]) -> bool:
    """Save the progress and extend the lease. Return False if another worker has taken over."""
    saved = QUEUE.held(token).filter(pk=job.pk)
    return bool(
        saved.update(
            done=job.done,
            missing=job.missing,
            tries=job.tries,
            due_at=timezone.now() + QUEUE.lease,
            encrypted_decisions=vault.encrypt(msgspec.json.encode(reviewed)),
        )
    )
