"""What Celery runs. Each task does all the work that is due, so that a lost one does no harm."""

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down

from games.mail import bell, sender

_stopping = threading.Event()


@shared_task(name=bell.TASK)
def deliver() -> None:
    """Woken by the bell after a commit, and by the clock for what the bell missed."""
    sender.deliver_due(_stopping.is_set)


@worker_shutting_down.connect
def stop_early(**_: Any) -> None:
    _stopping.set()


@worker_init.connect
def go_on(**_: Any) -> None:
    _stopping.clear()
