"""One worker at a time claims a job.

Failed jobs are retried with growing delays, up to a limit.
"""

import random
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from core.jobs import Backoff, reset_future_jobs
from notifications.models import Notification
from notifications.outbox import LONGEST_TO_A_DIGEST, QUEUE
from tests.accounts.builders import player
from tests.games.racing import all_at_once
from tests.not_none import not_none

pytestmark = pytest.mark.django_db
LEASE, SECOND, HOUR = QUEUE.lease, timedelta(seconds=1), timedelta(hours=1)
ALL = 12


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def jobs(now):
    """Create a dozen jobs in the order in which they became due."""
    ann = player("ann")
    return [add(ann, now - (ALL - number) * SECOND) for number in range(ALL)]


def add(user, due_at, **fields):
    return Notification.objects.create(user=user, created_at=due_at, due_at=due_at, **{"kind": "test_mail"} | fields)


def ids(jobs):
    return [job.pk for job in jobs]


def change(jobs, **fields):
    Notification.objects.filter(pk__in=ids(jobs)).update(**fields)


def stored(job):
    job.refresh_from_db()
    return job


def claim_due(now, most):
    return not_none(QUEUE.claim(now, most))


class TestClaiming:
    def test_jobs_that_have_been_due_longest_are_claimed_first(self, now, jobs):
        assert ids(claim_due(now, 5).jobs) == ids(jobs[:5])
        assert ids(claim_due(now, 5).jobs) == ids(jobs[5:10])

    def test_a_claim_returns_the_end_of_the_lease_and_the_jobs_as_they_were_before(self, now, jobs):
        claim = claim_due(now, 1)
        (before,), after = claim.jobs, stored(jobs[0])
        assert (before.delivery, before.claim, before.tries) == ("queued", "", 0)
        assert (after.delivery, after.claim, after.tries) == ("sending", claim.token, 1)
        assert after.due_at == claim.until == now + LEASE

    def test_jobs_that_are_done_or_not_yet_due_are_not_claimed(self, now, jobs):
        change(jobs[:4], delivery="sent")
        change(jobs[4:8], delivery="dead")
        change(jobs[8:], due_at=now + SECOND)
        assert QUEUE.claim(now, ALL) is None

    def test_claims_continue_until_nothing_is_due(self, jobs):
        claims = list(QUEUE.claims(lambda: False, most=5))
        assert [len(claim.jobs) for claim in claims] == [5, 5, 2]

    def test_claims_end_when_time_is_up(self, jobs):
        over = iter([False, True])
        assert len(list(QUEUE.claims(lambda: next(over), most=5))) == 1


@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_the_same_time_get_different_jobs(now, jobs):
    claims = [claim for claim in all_at_once([partial(QUEUE.claim, now, 3)] * 6) if claim]
    taken = [pk for claim in claims for pk in ids(claim.jobs)]
    assert taken
    assert len(taken) == len(set(taken))
    for claim in claims:
        assert set(ids(QUEUE.held(claim.token))) == set(ids(claim.jobs))
        assert len(claim.jobs) <= 3


class TestLeases:
    def test_a_claimed_job_is_due_again_when_its_lease_ends(self, now, jobs):
        first = claim_due(now, 1)
        change(jobs[1:], delivery="sent")
        assert QUEUE.claim(now + LEASE - SECOND, 1) is None
        second = claim_due(now + LEASE, 1)
        assert ids(second.jobs) == ids(first.jobs)
        assert (stored(jobs[0]).claim, jobs[0].tries) == (second.token, 2)

    def test_an_attempt_no_longer_holds_a_job_that_another_attempt_has_taken_over(self, now, jobs):
        first = claim_due(now, 1)
        assert QUEUE.is_held(stored(jobs[0]), first.token)
        change(jobs[1:], delivery="sent")
        claim_due(now + LEASE, 1)
        assert not QUEUE.held(first.token).exists()
        assert not QUEUE.is_held(stored(jobs[0]), first.token)

    def test_an_attempt_does_not_keep_finished_jobs_claimed(self, now, jobs):
        claim = claim_due(now, 2)
        change(jobs[:1], delivery="sent")
        assert ids(QUEUE.held(claim.token)) == ids(jobs[1:2])
        assert not QUEUE.is_held(stored(jobs[0]), claim.token)

    def test_jobs_left_by_a_crashed_attempt_are_claimed_one_at_a_time(self, now, jobs):
        claim_due(now, ALL)
        again = [claim_due(now + LEASE, ALL) for _ in jobs]
        assert [len(claim.jobs) for claim in again] == [1] * ALL
        assert {pk for claim in again for pk in ids(claim.jobs)} == set(ids(jobs))

    def test_new_jobs_are_not_claimed_together_with_an_abandoned_job(self, now, jobs):
        claim_due(now, 1)
        change(jobs[1:], due_at=now + LEASE + SECOND)
        claim = claim_due(now + LEASE + SECOND, ALL)
        assert ids(claim.jobs) == ids(jobs[:1])

    def test_an_abandoned_job_is_not_claimed_together_with_new_jobs(self, now, jobs):
        claim_due(now, 1)
        claim = claim_due(now + LEASE, ALL)
        assert ids(claim.jobs) == ids(jobs[1:])

    def test_a_worker_gives_up_on_a_job_if_all_its_attempts_crashed(self, now, jobs):
        change(jobs[:1], tries=QUEUE.most_tries)
        change(jobs[1:2], tries=QUEUE.most_tries - 1)
        claim = claim_due(now, 3)
        assert ids(claim.jobs) == ids(jobs[:3])
        assert ids(claim.exhausted) == ids(jobs[:1])

    def test_workers_eventually_give_up_on_a_job_that_crashes_all_of_them(self, now, jobs):
        change(jobs[1:], delivery="sent")
        claims = [claim_due(now + attempt * LEASE, 1) for attempt in range(QUEUE.most_tries + 1)]
        assert [len(claim.exhausted) for claim in claims] == [0] * QUEUE.most_tries + [1]


class TestReleasing:
    def test_releasing_a_job_undoes_the_claim(self, now, jobs):
        claim = claim_due(now, 3)
        QUEUE.release(claim.token, ids(jobs[1:3]))
        released = stored(jobs[1])
        assert (released.delivery, released.claim, released.tries) == ("queued", "", 0)
        assert set(ids(claim_due(timezone.now(), ALL).jobs)) == set(ids(jobs[1:]))
        assert ids(QUEUE.held(claim.token)) == ids(jobs[:1])

    def test_an_attempt_cannot_release_another_attempts_jobs(self, now, jobs):
        first = claim_due(now, 1)
        change(jobs[1:], delivery="sent")
        second = claim_due(now + LEASE, 1)
        QUEUE.release(first.token, ids(jobs[:1]))
        assert QUEUE.is_held(stored(jobs[0]), second.token)


class TestRetrying:
    def test_delays_double_up_to_the_maximum(self):
        backoff = Backoff(first=SECOND, longest=timedelta(seconds=6))
        assert [backoff.longest_delay(tries) / SECOND for tries in range(6)] == [1, 1, 2, 4, 6, 6]

    def test_delays_vary_and_have_a_minimum(self):
        delays = [Backoff(first=HOUR).delay(tries=1) for _ in range(200)]
        assert HOUR / 2 <= min(delays) < max(delays) <= HOUR
        assert len(set(delays)) > 100

    def test_a_failed_job_is_retried_later(self, now, jobs):
        claim = claim_due(now, 1)
        QUEUE.held(claim.token).update(**QUEUE.again(1, now))
        waiting = stored(jobs[0])
        assert (waiting.delivery, waiting.tries) == ("queued", 1)
        assert now + QUEUE.backoff.first / 2 <= waiting.due_at <= now + QUEUE.backoff.first

    def test_a_retry_waits_at_least_as_long_as_the_server_asks(self, now):
        assert QUEUE.again(1, now, after=HOUR) == {"delivery": "queued", "due_at": now + HOUR}

    def test_postponing_a_job_is_not_a_failure(self, now, jobs):
        claim = claim_due(now, 1)
        QUEUE.held(claim.token).update(**QUEUE.later(now + HOUR))
        waiting = stored(jobs[0])
        assert (waiting.delivery, waiting.tries, waiting.due_at) == ("queued", 0, now + HOUR)

    def test_delays_use_system_randomness(self):
        random.seed(1)
        first = Backoff().delay(5)
        random.seed(1)
        assert Backoff().delay(5) != first


class TestAfterTheClockWasSetBack:
    def test_jobs_scheduled_too_far_ahead_become_due(self, now, jobs):
        change(jobs, due_at=now + 100 * HOUR)
        reset_future_jobs(now)
        assert QUEUE.due(now).count() == ALL

    def test_a_lease_that_ends_too_late_is_shortened_to_the_length_of_a_new_lease(self, now, jobs):
        QUEUE.claim(now + 100 * HOUR, 1)
        reset_future_jobs(now)
        assert stored(jobs[0]).due_at == now + LEASE

    def test_a_valid_lease_is_kept(self, now, jobs):
        QUEUE.claim(now, 1)
        reset_future_jobs(now + LEASE / 2)
        assert stored(jobs[0]).due_at == now + LEASE

    def test_a_digest_waits_for_its_hour_but_not_for_weeks(self, now):
        ann, ben = player("ann"), player("ben")
        soon = add(ann, now + LONGEST_TO_A_DIGEST, kind="digest")
        never = add(ben, now + LONGEST_TO_A_DIGEST + SECOND, kind="digest")
        reset_future_jobs(now)
        assert (stored(soon).due_at, stored(never).due_at) == (now + LONGEST_TO_A_DIGEST, now)

    def test_finished_jobs_stay_unchanged(self, now, jobs):
        change(jobs, delivery="sent", due_at=now + HOUR)
        reset_future_jobs(now)
        assert set(Notification.objects.values_list("due_at", flat=True)) == {now + HOUR}
