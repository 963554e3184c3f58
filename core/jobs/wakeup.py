"""The bells: one wakes a worker for notices after a commit, one for mail that has come in. They may fail or be
forgotten, as the sweep finds everything anyway.

A thread of its own rings each, so that no move ever waits for the broker, however slow or broken that is. While it
rings, further wishes to ring become one: whoever hears the bell takes all that is due.
"""

import logging
import os
import threading
import time

from celery import current_app
from kombu.exceptions import KombuError

logger = logging.getLogger(__name__)

TASK = "notifications.deliver"
INBOUND_TASK = "inbound.handle"
WEBHOOKS_TASK = "notifications.deliver_webhooks"
MEANT_FOR = 300
"""Seconds after which nobody needs to hear a ring any more: the sweep has passed by. Whoever hears it goes by their own
clock, which may be minutes ahead."""
PAUSE = 0.05
"""Seconds between two rings: where many move at once, ringing for each would cost more than the moves."""

# A connection that was idle may turn out to be closed only when it is used.
ONCE_MORE = {"max_retries": 1, "interval_start": 0}


class Bell:
    def __init__(self, task: str) -> None:
        self._task = task
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
            strike(self._task)
            time.sleep(PAUSE)


def strike(task: str = TASK) -> None:
    try:
        current_app.send_task(task, expires=MEANT_FOR, ignore_result=True, retry=True, retry_policy=ONCE_MORE)
    except (KombuError, OSError) as error:
        logger.warning("The broker was not reached (%s); the sweep will find what is due.", error)


_bell, _inbound_bell, _webhooks_bell = Bell(TASK), Bell(INBOUND_TASK), Bell(WEBHOOKS_TASK)


def ring() -> None:
    _bell.ring()


def ring_for_inbound() -> None:
    _inbound_bell.ring()


def ring_for_webhooks() -> None:
    _webhooks_bell.ring()


# A forked process has no ringer, and may have inherited a lock that nobody will open.
if hasattr(os, "register_at_fork"):
    for bell in (_bell, _inbound_bell, _webhooks_bell):
        os.register_at_fork(after_in_child=bell.reset)
