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
request_id: ContextVar[str] = ContextVar("request_id", default=NONE)
match_id: ContextVar[str] = ContextVar("match_id", default=NONE)
"""What the log lines of this moment belong to: a request or a task, and the match it is about."""

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


def end(**_: object) -> None:
    """The request or task is over."""
    request_id.set(NONE)
    match_id.set(NONE)


@contextmanager
def about_match(identifier: str | None) -> Iterator[None]:
    """For work that goes from match to match."""
    token = match_id.set(identifier or NONE)
    try:
        yield
    finally:
        match_id.reset(token)


class IdsInLogs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.match_id = request_id.get(), match_id.get()
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
