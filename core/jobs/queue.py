"""Claim jobs of any kind, lease and retry them, and give up on those that keep failing."""

import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import models, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone


class Job(models.Model):
    """A job in the database.

    `due_at` is when to do the job or, while a worker has claimed it, when the lease expires. `claim` is the token of
    the latest attempt.
    """

    due_at = models.DateTimeField()
    claim = models.CharField(max_length=32, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Backoff:
    """Delays that double after each failure. They include jitter, so that a server that comes back is not flooded."""

    first: timedelta = timedelta(seconds=30)
    longest: timedelta = timedelta(hours=4)
    shortest_share: float = 0.5

    def delay(self, tries: int) -> timedelta:
        return self.longest_delay(tries) * random.SystemRandom().uniform(self.shortest_share, 1.0)

    def longest_delay(self, tries: int) -> timedelta:
        doubled: timedelta = self.first * 2 ** max(tries - 1, 0)
        return min(doubled, self.longest)


@dataclass(frozen=True)
class Claim(Generic[J]):
    """Jobs that a worker has claimed, until their lease expires."""

    token: str
    jobs: Sequence[J]
    """The jobs in order, as they were before they were claimed."""
    until: datetime
    may_crash: bool = False
    """Whether an earlier attempt at this job crashed. If so, the worker should do nothing else at the same time."""
    exhausted: Sequence[J] = ()
    """Jobs whose attempts have all crashed. The worker should give up on them without reading them, because another
    attempt could also crash."""


@dataclass(frozen=True)
class Queue(Generic[J]):
    """The jobs of one kind.

    The column `state` says whether a job is waiting (`queued`), in progress (`claimed`) or done (any other value).
    `order` decides which due jobs are claimed first, for example to be fair to users or hosts. The `at_once` argument
    of `core.jobs.worker` limits how many workers handle this kind at once.
    """

    model: type[J]
    state: str
    queued: str
    claimed: str
    lease: timedelta
    most_tries: int
    backoff: Backoff = field(default_factory=Backoff)
    order: tuple[str, ...] = ("due_at",)
    may_be_ahead: Callable[[datetime], Q] | None = None
    """Selects jobs that are scheduled for the future on purpose. They stay unchanged when the clock is set back."""

    def __post_init__(self) -> None:
        _queues.append(self)

    @property
    def waiting(self) -> tuple[str, ...]:
        return (self.queued, self.claimed)

    def due(self, now: datetime) -> QuerySet[J]:
        return self.model._default_manager.filter(**{f"{self.state}__in": self.waiting, "due_at__lte": now})

    def claims(self, is_over: Callable[[], bool], most: int) -> Iterator[Claim[J]]:
        """Yield claims until no job is due or the time for this round is up."""
        while not is_over() and (claim := self.claim(timezone.now(), most)):
            yield claim

    def claim(self, now: datetime, most: int, among: Q | None = None) -> Claim[J] | None:
        """Claim due jobs. Workers that claim at the same time get different jobs.

        Jobs left behind by a crashed attempt are claimed one at a time, so that a job that crashes its worker does not
        affect others.
        """
        due = self.due(now).filter(among or Q())
        first = due.order_by(*self.order).values_list(self.state, "claim").first()
        if first is None:
            return None
        state, earlier = first
        may_crash = state == self.claimed and bool(earlier)
        alike = due.filter(self._left_behind if may_crash else ~self._left_behind)
        token, until = uuid.uuid4().hex, now + self.lease
        with transaction.atomic():
            # Select first: inside an UPDATE, PostgreSQL may re-evaluate the subquery and take too many.
            locked = alike.order_by(*self.order).select_for_update(skip_locked=True, of=("self",))
            taken = list(locked[: 1 if may_crash else most])
            self.due(now).filter(pk__in=[job.pk for job in taken]).update(
                claim=token, due_at=until, tries=F("tries") + 1, **{self.state: self.claimed}
            )
        if not taken:
            return None  # Another worker has claimed these jobs and will wake a worker for the rest.
        exhausted = [job for job in taken if job.tries >= self.most_tries]
        return Claim(token, taken, until, may_crash, exhausted)

    @property
    def _left_behind(self) -> Q:
        return Q(**{self.state: self.claimed}) & ~Q(claim="")

    def has_left_behind(self, now: datetime) -> bool:
        """Return whether there is a due job whose last attempt crashed."""
        return self.due(now).filter(self._left_behind).exists()

    def held(self, token: str) -> QuerySet[J]:
        """Return the jobs that still belong to this attempt. Other attempts take over jobs whose lease has expired."""
        return self.model._default_manager.filter(**{self.state: self.claimed}, claim=token)

    def is_held(self, job: J, token: str) -> bool:
        """Return whether a loaded job still belongs to this attempt."""
        return job.claim == token and getattr(job, self.state) == self.claimed

    def again(self, tries: int, now: datetime, *, after: timedelta = timedelta()) -> dict[str, Any]:
        """Return the changes that make a failed job due again."""
        return {self.state: self.queued, "due_at": now + max(self.backoff.delay(tries), after)}

    def later(self, until: datetime) -> dict[str, Any]:
        """Return the changes that postpone a job without counting a failure."""
        return {self.state: self.queued, "due_at": until, "tries": 0}

    def release(self, token: str, ids: Sequence[int]) -> None:
        """Release jobs that were claimed but not attempted."""
        if ids:
            mine = self.held(token).filter(pk__in=ids)
            mine.update(due_at=timezone.now(), claim="", tries=F("tries") - 1, **{self.state: self.queued})

    def reset_future_jobs(self, now: datetime) -> None:
        waiting = self.model._default_manager.filter(**{self.state: self.queued}, due_at__gt=now)
        if self.may_be_ahead:
            waiting = waiting.exclude(self.may_be_ahead(now))
        waiting.update(due_at=now)
        claimed = self.model._default_manager.filter(**{self.state: self.claimed}, due_at__gt=now + self.lease)
        claimed.update(due_at=now + self.lease)


_queues: list[Queue[Any]] = []


def reset_future_jobs(now: datetime) -> None:
    """If jobs were scheduled while the clock was ahead, make them due now."""
    for queue in _queues:
        queue.reset_future_jobs(now)
