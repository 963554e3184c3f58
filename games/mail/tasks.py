"""What Celery runs. Each task does all the work that is due, so that a lost one does no harm."""

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down

from games.mail import bell, sender
from games.mail.inbound import handling, imap
from games.rounds import Rounds

_stopping = threading.Event()
_outgoing, _incoming = Rounds(longest=10), Rounds(longest=10)


def is_stopping() -> bool:
    return _stopping.is_set()


@shared_task(name=bell.TASK)
def deliver() -> None:
    """Woken by the bell after a commit, and by the clock for what the bell missed."""
    if _outgoing.run(sender.deliver_due, is_stopping):
        bell.ring()


@shared_task(name=bell.INBOUND_TASK)
def handle() -> None:
    """Woken by the bell after mail has come in, and by the clock for what the bell missed."""
    if _incoming.run(handling.handle_due, is_stopping):
        bell.ring_for_inbound()


@shared_task(name="games.mail.fetch")
def fetch() -> None:
    """Asked for by the clock, where mail is to be fetched from a mailbox."""
    imap.fetch_unread(is_stopping)


@worker_shutting_down.connect
def stop_early(**_: Any) -> None:
    _stopping.set()


@worker_init.connect
def go_on(**_: Any) -> None:
    _stopping.clear()
