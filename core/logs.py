"""The log format. Each line names its request and match, and contains no secrets."""

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
"""The IDs of the request or task and of the match that the current log lines are about."""

# The last part of these URLs is as good as a password. Searching for a pattern is slow, so each pattern comes with a
# marker that must occur in the text for the pattern to match.
SECRETS = [
    (
        "/",
        re.compile(
            r"(/(?:confirm|reset|change-address|invitations|unsubscribe|enter|play|log-in|calendar)/)[^/\s?\"']+"
        ),
        r"\1…",
    ),
    ("@", re.compile(r"(://)[^/\s@]+@"), r"\1…@"),
    ("Bearer ", re.compile(r"\b(Bearer )[\w.~+/=-]{16,}"), r"\1…"),
    ("turnpost_", re.compile(r"\b(turnpost_)[\w.~+/=-]{16,}"), r"\1…"),
    # Limited to the maximum length of a local part, because an unbounded search is slow on long addresses.
    ("@", re.compile(r"[\w.+%-]{1,64}(@[\w-]{1,63}\.[\w.-]+)"), r"…\1"),
]
FIELDS = ("method", "route", "status", "ms", "notification", "kind")
"""The extra fields that log records may have."""


def clear_ids(**_: object) -> None:
    """Clear the IDs when a request or task ends."""
    request_id.set(NONE)
    match_id.set(NONE)


@contextmanager
def about_match(identifier: str | None) -> Iterator[None]:
    """Add the ID of a match to all log lines until the end of the block."""
    token = match_id.set(identifier or NONE)
    try:
        yield
    finally:
        match_id.reset(token)


class IdsInLogs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.match_id = request_id.get(), match_id.get()
        return True


class TextFormatter(logging.Formatter):
    """Writes each message on one line, even if it contains line breaks. Only tracebacks take several lines."""

    layout = "%(asctime)s %(levelname)s %(name)s [%(request_id)s %(match_id)s] %(message)s"

    def __init__(self) -> None:
        super().__init__(self.layout)

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return super().formatMessage(record).replace("\r", r"\r").replace("\n", r"\n")


class JsonFormatter(logging.Formatter):
    """Writes one JSON object per line."""

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
    for marker, secret, rest in SECRETS:
        if marker in text:
            text = secret.sub(rest, text)
    return text
