"""The bell: wakes a worker after a commit. It may fail or be forgotten, as the sweep finds every notice anyway.

A thread of its own rings it, so that no move ever waits for the broker, however slow or broken that is. While it
rings, further wishes to ring become one: whoever hears the bell takes all notices that are due.
"""

import logging
import os
import threading

from celery import current_app
from kombu.exceptions import KombuError

logger = logging.getLogger(__name__)

TASK = "games.mail.deliver"
MEANT_FOR = 60
"""Seconds after which nobody needs to hear a ring any more: the sweep has passed by."""

# A connection that was idle may turn out to be closed only when it is used.
ONCE_MORE = {"max_retries": 1, "interval_start": 0}


class Bell:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._wanted = threading.Event()
        self._starting = threading.Lock()
        self._ringer: threading.Thread | None = None

    def ring(self) -> None:
        self._wanted.set()
        with self._starting:
            if self._ringer is None or not self._ringer.is_alive():
                self._ringer = threading.Thread(target=self._ring_when_wanted, name="bell", daemon=True)
                self._ringer.start()

    def _ring_when_wanted(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            strike()


def strike() -> None:
    try:
        current_app.send_task(TASK, expires=MEANT_FOR, ignore_result=True, retry=True, retry_policy=ONCE_MORE)
    except (KombuError, OSError) as error:
        logger.warning("The broker was not reached (%s); the sweep will find what is due.", error)


_bell = Bell()


def ring() -> None:
    _bell.ring()


# A forked process has no ringer, and may have inherited a lock that nobody will open.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_bell.reset)
