"""What Celery runs. Each task does all the work that is due, so that a lost one does no harm."""

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down

from core.jobs import wakeup
from core.jobs.single_flight import Rounds
from notifications.mail import sender

_stopping = threading.Event()
_outgoing = Rounds(longest=10)


def is_stopping() -> bool:
    return _stopping.is_set()


@shared_task(name=wakeup.TASK)
def deliver() -> None:
    """Woken by the bell after a commit, and by the clock for what the bell missed."""
    if _outgoing.run(sender.deliver_due, is_stopping):
        wakeup.ring()


@worker_shutting_down.connect
def stop_early(**_: Any) -> None:
    _stopping.set()


@worker_init.connect
def go_on(**_: Any) -> None:
    _stopping.clear()
