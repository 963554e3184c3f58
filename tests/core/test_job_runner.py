"""For each kind of job, a process runs one round at a time. Rounds have a time limit, and wake-ups never block."""

import threading
from collections.abc import Callable

import pytest
from celery import current_app
from celery.signals import worker_init
from django.conf import settings
from kombu.exceptions import OperationalError

from core.jobs import runner, worker
from core.jobs.runner import SingleFlight, Wakeup, is_stopping
from tests.games.racing import beside
from tests.waiting import until

KIND, TASK = "test", "jobs.test"


def never():
    return False


def fail(_):
    raise ZeroDivisionError


class TestSingleFlight:
    def test_a_second_call_makes_the_running_round_check_again(self):
        rounds, began, go_on, made = SingleFlight(longest=20), threading.Event(), threading.Event(), []

        def work(_):
            made.append(threading.current_thread())
            began.set()
            go_on.wait(20)

        first = beside(lambda: rounds.run(work, never))
        began.wait(20)
        assert rounds.run(work, never) is False
        assert len(made) == 1
        go_on.set()
        first.join()
        assert len(made) == 2
        assert len(set(made)) == 1

    def test_several_rounds_run_at_once_if_that_is_allowed(self):
        rounds, together = SingleFlight(longest=20, at_once=2), threading.Barrier(2)

        def meet(_):
            together.wait(20)

        first = beside(lambda: rounds.run(meet, never))
        rounds.run(meet, never)
        first.join()
        assert not together.broken

    def test_a_round_ends_when_its_time_is_up_and_reports_that_there_may_be_more(self):
        looked: list[None] = []

        def work(is_over):
            while not is_over():
                looked.append(None)

        assert SingleFlight(longest=0.01).run(work, never) is True
        assert looked
        assert SingleFlight(longest=20).run(lambda _: None, never) is False

    def test_a_process_that_is_stopping_starts_no_new_round(self):
        assert SingleFlight(longest=20).run(lambda _: None, lambda: True) is False

    def test_a_failed_round_does_not_block_the_next_one(self):
        rounds = SingleFlight(longest=20)
        with pytest.raises(ZeroDivisionError):
            rounds.run(fail, never)
        done: list[None] = []
        rounds.run(lambda _: done.append(None), never)
        assert done


@pytest.fixture
def woken(monkeypatch):
    """Return a list that collects the kinds of jobs whose workers were woken."""
    woken: list[str] = []
    monkeypatch.setattr(runner, "wake", woken.append)
    return woken


@pytest.fixture
def run_as_task(monkeypatch):
    """Return a function that runs the work as a task, without registering it with a Celery app."""
    tasks: dict[str, Callable[[], None]] = {}
    monkeypatch.setattr(runner, "_stopping", threading.Event())
    monkeypatch.setattr(runner, "shared_task", lambda name: lambda task: tasks.setdefault(name, task))

    def run(work, longest, **options):
        worker(KIND, longest=longest, **options)(work)
        tasks[TASK]()

    return run


class TestWorkers:
    def test_every_kind_of_job_has_a_task_that_the_schedule_also_runs(self):
        tasks = {f"jobs.{kind}" for kind in runner.KINDS - {KIND}}
        assert {"jobs.bots", "jobs.inbound", "jobs.mail", "jobs.webhooks"} <= tasks <= set(current_app.tasks)
        assert tasks <= {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}

    def test_if_jobs_are_left_when_the_time_is_up_a_worker_is_woken_again(self, woken, run_as_task):
        run_as_task(lambda _: None, longest=0)
        assert woken == [KIND]

    def test_a_worker_that_has_finished_wakes_nobody(self, woken, run_as_task):
        run_as_task(lambda _: None, longest=20)
        assert woken == []

    def test_a_kind_of_job_that_runs_in_its_own_threads_never_blocks_the_task(self, woken, run_as_task):
        go_on, threads = threading.Event(), []

        def work(_):
            threads.append(threading.current_thread())
            go_on.wait(20)

        run_as_task(work, longest=20, apart=True)
        assert until(lambda: threads)
        go_on.set()
        threads[0].join(20)
        assert threads[0] is not threading.current_thread()

    def test_a_worker_that_shuts_down_ends_its_round_and_wakes_nobody(self, woken, run_as_task):
        over = []
        runner._stop_early()
        try:
            run_as_task(lambda is_over: over.append(is_over()), longest=20)
        finally:
            worker_init.send(sender=None)
        assert (over, woken) == ([True], [])
        assert not is_stopping()


@pytest.fixture
def sent(monkeypatch):
    """Return the names of the tasks sent to the broker."""
    sent: list[str] = []
    monkeypatch.setattr(runner, "PAUSE", 0)
    monkeypatch.setattr(runner, "send", sent.append)
    return sent


class TestWakingUp:
    def test_a_worker_is_woken_by_its_own_task(self, sent, monkeypatch):
        monkeypatch.setattr(runner, "_wakeups", {})
        runner.wake(KIND)
        assert until(lambda: sent == [TASK])

    def test_a_slow_broker_blocks_nobody_and_wake_ups_are_merged(self, sent, monkeypatch):
        asked, answer = threading.Event(), threading.Event()

        def send_slowly(task):
            asked.set()
            answer.wait(20)
            sent.append(task)

        monkeypatch.setattr(runner, "send", send_slowly)
        wakeup = Wakeup(lambda: runner.send(TASK))
        wakeup()
        asked.wait(20)
        for _ in range(5):
            wakeup()
        assert sent == []
        answer.set()
        assert until(lambda: len(sent) == 2)
        assert not until(lambda: len(sent) > 2, seconds=0.2)

    def test_a_forked_process_sends_from_its_own_thread(self, sent, monkeypatch):
        wakeup = Wakeup(lambda: runner.send(TASK))
        monkeypatch.setattr(runner, "_wakeups", {KIND: wakeup})
        wakeup()
        assert until(lambda: len(sent) == 1)
        before = wakeup._thread
        runner._reset_after_fork()
        wakeup()
        assert until(lambda: len(sent) == 2)
        assert wakeup._thread is not before

    @pytest.mark.parametrize("error", [OperationalError("gone"), ConnectionRefusedError("gone")])
    def test_a_lost_broker_only_causes_a_warning(self, monkeypatch, caplog, error):
        def fail(*_, **__):
            raise error

        monkeypatch.setattr(current_app, "send_task", fail)
        runner.send(TASK)
        assert "Could not reach the broker (gone)" in caplog.text
