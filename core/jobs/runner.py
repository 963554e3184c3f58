"""Wake workers after a commit, and run one round at a time for each kind of job in each process."""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from celery import current_app, shared_task
from celery.signals import worker_init, worker_shutting_down
from django.db import connections
from kombu.exceptions import KombuError

logger = logging.getLogger(__name__)

IsOver = Callable[[], bool]
Work = Callable[[IsOver], None]
W = TypeVar("W", bound=Work)

EXPIRES_AFTER = 300
"""How many seconds a wake-up stays valid, so that wake-ups do not pile up while no worker is running.

It must exceed any difference between clocks: a worker whose clock is ahead drops expired wake-ups.
"""
PAUSE = 0.05
"""The minimum number of seconds between wake-ups.

When many players move at once, waking a worker for each would cost more than the moves.
"""
# An idle connection may have been closed, which shows only when it is used.
ONE_RETRY = {"max_retries": 1, "interval_start": 0}

_stopping = threading.Event()


@worker_shutting_down.connect
def _stop_early(**_: Any) -> None:
    _stopping.set()


@worker_init.connect
def _start(**_: Any) -> None:
    _stopping.clear()


def is_stopping() -> bool:
    return _stopping.is_set()


class Wakeup:
    """Wakes workers through the broker.

    A thread sends the message, so no request waits for the broker. Wake-ups that come while one is being sent are
    merged, because a worker does everything that is due. Losing one does no harm: the sweep finds the jobs.
    """

    def __init__(self, task: str) -> None:
        self._task = task
        self.reset()

    def reset(self) -> None:
        self._wanted = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self) -> None:
        self._wanted.set()
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._send_when_wanted, name="wake-up", daemon=True)
                self._thread.start()

    def _send_when_wanted(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            send(self._task)
            time.sleep(PAUSE)


def send(task: str) -> None:
    try:
        current_app.send_task(task, expires=EXPIRES_AFTER, ignore_result=True, retry=True, retry_policy=ONE_RETRY)
    except (KombuError, OSError) as error:
        logger.warning("Could not reach the broker (%s). The next sweep will find the jobs.", error)


class SingleFlight:
    """Allow at most `at_once` rounds of one kind in a process, each limited in time, so that other tasks soon find a
    free thread, no matter how much there is to do or how slow the remote server is."""

    def __init__(self, longest: float, at_once: int = 1) -> None:
        self._longest = longest
        self._free = threading.BoundedSemaphore(at_once)
        self._wanted = threading.Event()

    def run(self, work: Work, stopping: IsOver = is_stopping) -> bool:
        """Run a round.

        If one is already running, leave the work to it: it checks for new calls before it ends. Returns whether time
        ran out, in which case there may be more to do.
        """
        self._wanted.set()
        stop = time.monotonic() + self._longest

        def is_over() -> bool:
            return stopping() or time.monotonic() >= stop

        while self._wanted.is_set() and self._free.acquire(blocking=False):
            try:
                self._wanted.clear()
                work(is_over)
            finally:
                self._free.release()
            if is_over():
                return not stopping()
        return False


_wakeups: dict[str, Wakeup] = {}
KINDS: set[str] = set()
"""The kinds of jobs that have a worker. Each needs an entry in the schedule in the settings."""


def wake(kind: str) -> None:
    """Wake a worker for jobs of this kind. Call it after the commit: `on_commit(partial(wake, "mail"))`."""
    (_wakeups.get(kind) or _wakeups.setdefault(kind, Wakeup(task_name(kind))))()


def worker(kind: str, *, longest: float = 10, at_once: int = 1, apart: bool = False) -> Callable[[W], W]:
    """Register a function that does all due jobs of one kind, as a Celery task. The schedule runs it regularly too.
    With `apart`, it runs in threads of its own, so that other kinds never wait for it."""

    def register(work: W) -> W:
        KINDS.add(kind)
        rounds = SingleFlight(longest, at_once)

        def run_round() -> None:
            if rounds.run(work):
                wake(kind)

        @shared_task(name=task_name(kind))
        def run() -> None:
            if apart:
                # Not a daemon thread, so that a process that shuts down waits for the end of the round.
                threading.Thread(target=in_own_thread, args=[kind, run_round], name=kind).start()
            else:
                run_round()

        return work

    return register


def in_own_thread(kind: str, run_round: Callable[[], None]) -> None:
    try:
        run_round()
    except Exception:
        logger.exception("The worker for %s failed.", kind)
    finally:
        connections.close_all()


def task_name(kind: str) -> str:
    return f"jobs.{kind}"


def _reset_after_fork() -> None:
    """Reset everything in a forked process, which has no threads and may have inherited locked locks."""
    for wakeup in _wakeups.values():
        wakeup.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
