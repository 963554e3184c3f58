"""Wake the processes that serve streams after a commit.

With PostgreSQL, a thread sends NOTIFY outside of the transaction. Inside the transaction, NOTIFY would make commits
wait for each other. With SQLite, all streams are in this process. If a wake-up is lost, the processes find the events
with their next poll.
"""

import logging
import threading
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction

from core import sql
from core.jobs.runner import Wakeup

logger = logging.getLogger(__name__)

CHANNEL = "turnpost_stream"
listening_here: "WeakSet[threading.Event]" = WeakSet()
"""An event that is set after each commit, for streams in this process."""


def wake_streams() -> None:
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        _notify()
    for event in list(listening_here):
        event.set()


def notify() -> None:
    """Send the wake-up without waiting for the disk, because nothing is lost if the database server crashes first.

    This takes one round trip.
    """
    try:
        with transaction.atomic():
            sql.run([("SET LOCAL synchronous_commit TO OFF", []), (f"NOTIFY {CHANNEL}", [])])
    except DatabaseError as error:
        connections[DEFAULT_DB_ALIAS].close()
        logger.warning("Could not wake the event streams (%s). They will find the events themselves.", error)


_notify = Wakeup(notify, pause=0.02)
