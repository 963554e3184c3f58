"""What each process counts as it happens. Labels say what was done, never who did it."""

from collections.abc import Callable
from functools import partial

from prometheus_client import Counter, Histogram

SECONDS_OF_REQUESTS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
SECONDS_OF_NOTICES = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43200)
SECONDS_OF_SWEEPS = (0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300)

MOVES = Counter("turnpost_moves", "Moves that were made.", ["game", "source"])
REFUSALS = Counter("turnpost_refusals", "What was refused, by the code in the answer.", ["code"])
REQUESTS = Histogram(
    "turnpost_request_seconds", "How long answers took.", ["method", "route", "status"], buckets=SECONDS_OF_REQUESTS
)
NOTICES = Counter("turnpost_notices", "Attempts to deliver a notice, by what became of them.", ["result"])
NOTICE_SECONDS = Histogram(
    "turnpost_notice_seconds",
    "From a notice's row to the mail server's OK, also where a player wants mail later.",
    ["kind"],
    buckets=SECONDS_OF_NOTICES,
)
SWEEPS = Histogram("turnpost_sweep_seconds", "How long the clock's sweeps took.", buckets=SECONDS_OF_SWEEPS)

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def one_move(game: str, source: str) -> Callable[[], None]:
    """To be called after the commit: what is rolled back was no move."""
    return partial(MOVES.labels(game, source).inc)


def one_refusal(code: str) -> None:
    REFUSALS.labels(code).inc()


def one_request(method: str, route: str, status: int, seconds: float) -> None:
    """Callers may invent methods and addresses, but not labels."""
    REQUESTS.labels(method if method in METHODS else "other", route or "none", status).observe(seconds)


def one_mail(kind: str, seconds: float) -> None:
    NOTICE_SECONDS.labels(kind).observe(seconds)
