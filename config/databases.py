"""The options for connecting to PostgreSQL and SQLite."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url

EXAMPLES = {
    "postgres": "postgres://user:password@host:port/database",
    "postgresql": "postgresql://user:password@host:port/database",
    "sqlite": "sqlite:////srv/turnpost/turnpost.sqlite3",
}

# An acknowledged move must survive a power cut, so SQLite waits for the disk (FULL). Taking the write lock when a
# transaction begins (IMMEDIATE) makes writers wait instead of failing halfway. Within a process, core.sqlite3 makes
# them queue. Connections stay open between requests, because closing the last one makes SQLite copy its whole journal.
SQLITE = {
    "ENGINE": "core.sqlite3",
    "CONN_MAX_AGE": 60,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
    },
}

# A server-side cursor belongs to one connection, but behind a pooler, the next statement may use another connection.
POSTGRESQL = {"ENGINE": "core.postgresql", "CONN_MAX_AGE": 60, "DISABLE_SERVER_SIDE_CURSORS": True}
# A machine that disappears during a transaction holds its locks for at most a minute, and waiting for a lock times out
# before callers give up.
POSTGRESQL_SESSION = {
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "20s",
    "tcp_keepalives_idle": "30s",
    "tcp_keepalives_interval": "10s",
    "tcp_keepalives_count": "3",
}
# How long to wait for a new connection (in seconds) and for a response (in milliseconds), so that an unresponsive
# server quickly causes an error instead of a hanging request.
POSTGRESQL_OPTIONS = {
    "connect_timeout": 5,
    "tcp_user_timeout": 20_000,
    "options": " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_SESSION.items()),
}


def in_file(path: Path) -> dict[str, Any]:
    return SQLITE | {"NAME": path}


def named_by(url: str) -> dict[str, Any]:
    """Parse a database URL. NAME is empty if the URL contains no database name. Options in the URL override ours."""
    named: dict[str, Any] = dict(dj_database_url.parse(url))
    if urlsplit(url).scheme == "sqlite":
        return named | SQLITE
    return named | POSTGRESQL | {"OPTIONS": POSTGRESQL_OPTIONS | named.get("OPTIONS", {})}
