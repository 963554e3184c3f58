"""Prometheus metrics: the counters of each process, and the backlog of the whole service.

Labels say what was done, but never by whom.
"""

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

MOVES = Counter("turnpost_moves", "Moves made.", ["game", "source"])
REFUSALS = Counter("turnpost_refusals", "Refused requests, by error code.", ["code"])
REQUESTS = Histogram(
    "turnpost_request_seconds", "Response times.", ["method", "route", "status"], buckets=REQUEST_SECONDS
)
NOTIFICATIONS = Counter("turnpost_notifications", "Attempts to deliver a notification, by result.", ["result"])
NOTIFICATION_SECONDS = Histogram(
    "turnpost_notification_seconds",
    "Time from the creation of a notification until the mail server accepts it, including delays chosen by the player.",
    ["kind"],
    buckets=NOTIFICATION_SECONDS_BUCKETS,
)
ARCHIVED_MATCHES = Counter("turnpost_archived_matches", "Matches whose moves and events were archived.")
SWEEPS = Histogram("turnpost_sweep_seconds", "Duration of the clock's sweeps.", buckets=SWEEP_SECONDS)

Reader = Callable[[datetime], Iterator[Metric]]
_readers: list[Reader] = []


def backlog(reader: Reader) -> Reader:
    """Register a generator of metrics about an app's backlog."""
    _readers.append(reader)
    return reader


class Backlog(Collector):
    """Reports the backlog. It is read from the database on request, so any web process can report it."""

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, or only `turnpost_database_up 0` if the database is unreachable."""
        now = timezone.now()
        try:
            waiting = [metric for reader in _readers for metric in reader(now)]
        except DatabaseError:
            waiting = []
        yield Gauge("turnpost_database_up", "Whether the database is reachable.", value=bool(waiting))
        yield from waiting


def age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
