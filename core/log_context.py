"""What the log lines of this moment belong to: a request or a task, and the match it is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NONE = "-"
_request: ContextVar[str] = ContextVar("request_id", default=NONE)
_match: ContextVar[str] = ContextVar("match_id", default=NONE)


def begin(request_id: str) -> None:
    _request.set(request_id)
    _match.set(NONE)


def end() -> None:
    begin(NONE)


def set_match(match_id: str) -> None:
    _match.set(match_id)


@contextmanager
def about_match(match_id: str | None) -> Iterator[None]:
    """For work that goes from match to match."""
    token = _match.set(match_id or NONE)
    try:
        yield
    finally:
        _match.reset(token)


def current_request_id() -> str:
    return _request.get()


def current_match_id() -> str:
    return _match.get()
