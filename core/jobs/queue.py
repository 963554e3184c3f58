"""Claiming, leasing, retrying and giving up, for rows of any kind of job."""

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
    """`due_at` is when the job is to be done, or, while a worker has claimed it, when that claim counts as lost.
    `claim` is the token of the latest attempt."""

    due_at = models.DateTimeField()
    claim = models.CharField(max_length=32, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Backoff:
    """Twice as long after each failure, and never the same for all, so that a server that comes back is not flooded."""

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
    """Jobs that one attempt has for itself until its lease ends."""

    token: str
    jobs: Sequence[J]
    """As they were before the claim, in the order in which they are to be done."""
    until: datetime
    exhausted: Sequence[J] = ()
    """Jobs whose every attempt died. Whoever works on them again may die too, so they are to be given up unseen."""


@dataclass(frozen=True)
class Queue(Generic[J]):
    """The jobs of one kind. `state` names the column that tells whether a job waits (`queued`), is being worked on
    (`claimed`), or is done (any other value).

    `order` decides which due jobs are claimed first, so shares per user or per host belong there; how many workers may
    be busy with a kind at once is `core.jobs.worker`'s `at_once`."""

    model: type[J]
    state: str
    queued: str
    claimed: str
    lease: timedelta
    most_tries: int
    backoff: Backoff = field(default_factory=Backoff)
    order: tuple[str, ...] = ("due_at",)
    may_be_ahead: Callable[[datetime], Q] | None = None
    """Which queued jobs rightly wait for the future, when a clock that was ahead has been set back."""

    def __post_init__(self) -> None:
        _queues.append(self)

    @property
    def waiting(self) -> tuple[str, ...]:
        return (self.queued, self.claimed)

    def due(self, now: datetime) -> QuerySet[J]:
        return self.model._default_manager.filter(**{f"{self.state}__in": self.waiting, "due_at__lte": now})

    def claims(self, is_over: Callable[[], bool], most: int) -> Iterator[Claim[J]]:
        """Claim after claim, until nothing is due or the time of this round is over."""
        while not is_over() and (claim := self.claim(timezone.now(), most)):
            yield claim

    def claim(self, now: datetime, most: int, among: Q | None = None) -> Claim[J] | None:
        """Takes due jobs; another worker that claims at the same moment gets others. Jobs that a dead attempt left
        behind are taken one by one: if it died of one of them, this one takes no other along."""
        due = self.due(now).filter(among or Q())
        first = due.order_by(*self.order).values_list(self.state, "claim").first()
        if first is None:
            return None
        state, earlier = first
        left_behind = Q(**{self.state: self.claimed}) & ~Q(claim="")
        alike = due.filter(left_behind if state == self.claimed and earlier else ~left_behind)
        token, until = uuid.uuid4().hex, now + self.lease
        with transaction.atomic():
            # Read first: inside the update, PostgreSQL may look for free ones again and take more than were asked for.
            locked = alike.order_by(*self.order).select_for_update(skip_locked=True, of=("self",))
            taken = list(locked[: 1 if state == self.claimed and earlier else most])
            self.due(now).filter(pk__in=[job.pk for job in taken]).update(
                claim=token, due_at=until, tries=F("tries") + 1, **{self.state: self.claimed}
            )
        if not taken:
            return None  # Another worker has them, and will wake somebody for what it leaves.
        return Claim(token, taken, until, [job for job in taken if job.tries >= self.most_tries])

    def held(self, token: str) -> QuerySet[J]:
        """What still belongs to an attempt: nothing that another one took over after the lease."""
        return self.model._default_manager.filter(**{self.state: self.claimed}, claim=token)

    def is_held(self, job: J, token: str) -> bool:
        """The same for a job as it was loaded."""
        return job.claim == token and getattr(job, self.state) == self.claimed

    def again(self, tries: int, now: datetime, *, after: timedelta = timedelta()) -> dict[str, Any]:
        """The changes that make a job due again after a failure."""
        return {self.state: self.queued, "due_at": now + max(self.backoff.delay(tries), after)}

    def later(self, until: datetime) -> dict[str, Any]:
        """The changes that make a job wait without counting a failure."""
        return {self.state: self.queued, "due_at": until, "tries": 0}

    def release(self, token: str, ids: Sequence[int]) -> None:
        """Gives back jobs that were claimed and not tried."""
        if ids:
            mine = self.held(token).filter(pk__in=ids)
            mine.update(due_at=timezone.now(), claim="", tries=F("tries") - 1, **{self.state: self.queued})

    def bring_back(self, now: datetime) -> None:
        waiting = self.model._default_manager.filter(**{self.state: self.queued}, due_at__gt=now)
        if self.may_be_ahead:
            waiting = waiting.exclude(self.may_be_ahead(now))
        waiting.update(due_at=now)
        claimed = self.model._default_manager.filter(**{self.state: self.claimed}, due_at__gt=now + self.lease)
        claimed.update(due_at=now + self.lease)


_queues: list[Queue[Any]] = []


def bring_back(now: datetime) -> None:
    """A clock that was ahead has been set back: no job waits for a time that was never meant."""
    for queue in _queues:
        queue.bring_back(now)
