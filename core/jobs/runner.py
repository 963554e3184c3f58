"""Wake workers after a commit, and limit how many rounds of each kind of job run at once in a process."""

import logging
import os
import threading
import time
from collections.abc import Callable
from functools import partial
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
"""The number of seconds for which a wake-up stays valid. Expiration keeps wake-ups from piling up while no worker is
running. The value must exceed any difference between clocks, because a worker whose clock is ahead drops expired
wake-ups."""
PAUSE = 0.05
"""The minimum number of seconds between wake-ups. If many players move at once, waking a worker for each move would
cost more than the moves themselves."""
# An idle connection may have been closed, which becomes apparent only when it is used.
ONE_RETRY = {"max_retries": 1, "interval_start": 0}

_stopping = threading.Event()
_all_wakeups: "list[Wakeup]" = []


@worker_shutting_down.connect
def _stop_early(**_: Any) -> None:
    _stopping.set()


@worker_init.connect
def _start(**_: Any) -> None:
    _stopping.clear()


def is_stopping() -> bool:
    return _stopping.is_set()


class Wakeup:
    """Sends wake-ups from a thread, so that no request waits for them.

    Wake-ups that are requested while one is being sent are merged, because the recipient does everything that is due. A
    lost wake-up does no harm, because the sweep also finds the jobs.
    """

    def __init__(self, send: Callable[[], None], pause: float = PAUSE) -> None:
        self._send = send
        self._pause = pause
        _all_wakeups.append(self)
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
            self._send()
            time.sleep(self._pause)


def send(task: str) -> None:
    try:
        current_app.send_task(task, expires=EXPIRES_AFTER, ignore_result=True, retry=True, retry_policy=ONE_RETRY)
    except (KombuError, OSError) as error:
        logger.warning("Could not reach the broker (%s). The next sweep will run the jobs.", error)


class SingleFlight:
    """Allows at most `at_once` rounds of one kind in a process.

    Each round is limited in time, so other tasks soon find a free thread, no matter how much there is to do or how slow
    the remote server is.
    """

    def __init__(self, longest: float, at_once: int = 1) -> None:
        self._longest = longest
        self._free = threading.BoundedSemaphore(at_once)
        self._wanted = threading.Event()

    def run(self, work: Work, stopping: IsOver = is_stopping) -> bool:
        """Run a round, unless one is already running.

        In that case, the running round does the work, because it checks for new calls before it ends. Return whether
        time ran out, which means that there may be more to do.
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
"""The kinds of jobs that have a worker. Each kind needs an entry in the schedule in the settings."""


def wake(kind: str) -> None:
    """Wake a worker for jobs of this kind. Call it after the commit: `on_commit(partial(wake, "mail"))`."""
    (_wakeups.get(kind) or _wakeups.setdefault(kind, Wakeup(partial(send, task_name(kind)))))()


def worker(kind: str, *, longest: float = 10, at_once: int = 1, apart: bool = False) -> Callable[[W], W]:
    """Register a function as the Celery task that does all due jobs of one kind. The schedule also runs it regularly.

    With `apart`, the function runs in its own threads, so other kinds of jobs never wait for it.
    """

    def register(work: W) -> W:
        KINDS.add(kind)
        rounds = SingleFlight(longest, at_once)

        def run_round() -> None:
            if rounds.run(work):
                wake(kind)

        @shared_task(name=task_name(kind))
        def run() -> None:
            if apart:
                # Not a daemon thread, so that the process waits for the round to end before it exits.
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
    """Reset everything in a forked process, which has no threads and may have inherited held locks."""
    for wakeup in _all_wakeups:
        wakeup.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
