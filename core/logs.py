"""What every log line has, what none may have, and which request or match it belongs to."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

NONE = "-"
_request: ContextVar[str] = ContextVar("request_id", default=NONE)
_match: ContextVar[str] = ContextVar("match_id", default=NONE)

# Each with what is left of it. In these addresses the part that follows is as good as a password.
SECRETS = [
    (re.compile(r"(/(?:confirm|reset|change-address|invitations|unsubscribe)/)[^/\s?\"']+"), r"\1…"),
    (re.compile(r"(://)[^/\s@]+@"), r"\1…@"),
    (re.compile(r"\b((?:Bearer |turnpost_))[\w.~+/=-]{16,}"), r"\1…"),
    # No longer than the part before the sign may be: a search without an end would take for ever on a long address.
    (re.compile(r"[\w.+%-]{1,64}(@[\w-]{1,63}\.[\w.-]+)"), r"…\1"),
]
FIELDS = ("method", "route", "status", "ms", "notification", "kind")
"""What lines may carry beside their message."""


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


class IdsInLogs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.match_id = current_request_id(), current_match_id()
        return True


class Line(logging.Formatter):
    """For people. A message is one line, whatever somebody wrote into it; only a traceback has more."""

    layout = "%(asctime)s %(levelname)s %(name)s [%(request_id)s %(match_id)s] %(message)s"

    def __init__(self) -> None:
        super().__init__(self.layout)

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return super().formatMessage(record).replace("\r", r"\r").replace("\n", r"\n")


class JsonLine(logging.Formatter):
    """For programs: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "request_id": getattr(record, "request_id", None),
            "match_id": getattr(record, "match_id", None),
        }
        line |= {name: value for name in FIELDS if (value := record.__dict__.get(name)) is not None}
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def without_secrets(text: str) -> str:
    for secret, rest in SECRETS:
        text = secret.sub(rest, text)
    return text
