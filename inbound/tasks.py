"""What Celery runs for incoming mail. Each task does all the work that is due, so that a lost one does no harm."""

from celery import shared_task

from core.jobs import wakeup
from core.jobs.single_flight import Rounds
from inbound import handling, imap
from notifications.tasks import is_stopping

_incoming = Rounds(longest=10)


@shared_task(name=wakeup.INBOUND_TASK)
def handle() -> None:
    """Woken by the bell after mail has come in, and by the clock for what the bell missed."""
    if _incoming.run(handling.handle_due, is_stopping):
        wakeup.ring_for_inbound()


@shared_task(name="inbound.fetch")
def fetch() -> None:
    """Asked for by the clock, where mail is to be fetched from a mailbox."""
    imap.fetch_unread(is_stopping)
