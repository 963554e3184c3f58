"""What each process counts as it happens, and what is waiting. Labels say what was done, never who did it."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
NOTIFICATION_SECONDS_BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43200)
SWEEP_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300)
HTTP_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

MOVES = Counter("turnpost_moves", "Moves that were made.", ["game", "source"])
REFUSALS = Counter("turnpost_refusals", "Refused requests, by the code in the answer.", ["code"])
REQUESTS = Histogram(
    "turnpost_request_seconds", "How long answers took.", ["method", "route", "status"], buckets=REQUEST_SECONDS
)
NOTIFICATIONS = Counter("turnpost_notifications", "Attempts to deliver a notification, by result.", ["result"])
NOTIFICATION_SECONDS = Histogram(
    "turnpost_notification_seconds",
    "From a notification's row to the mail server's OK, also where a player wants mail later.",
    ["kind"],
    buckets=NOTIFICATION_SECONDS_BUCKETS,
)
SWEEPS = Histogram("turnpost_sweep_seconds", "How long the clock's sweeps took.", buckets=SWEEP_SECONDS)

Reader = Callable[[datetime], Iterator[Metric]]
_readers: list[Reader] = []


def backlog(reader: Reader) -> Reader:
    """Each app adds what waits in its tables: `@backlog` on a generator of metrics."""
    _readers.append(reader)
    return reader


class Backlog(Collector):
    """What waits, read from the database when asked for: any web process can tell, whichever worker is behind."""

    def collect(self) -> Iterator[Metric]:
        """Without a database this part is missing, and says so."""
        now = timezone.now()
        try:
            waiting = [metric for reader in _readers for metric in reader(now)]
        except DatabaseError:
            waiting = []
        yield Gauge("turnpost_database_up", "Whether the database answers.", value=bool(waiting))
        yield from waiting


def age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
