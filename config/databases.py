"""What we ask of a database, of either kind."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url

EXAMPLES = {
    "postgres": "postgres://user:password@host:port/database",
    "postgresql": "postgresql://user:password@host:port/database",
    "sqlite": "sqlite:////srv/turnpost/turnpost.sqlite3",
}

# A move that was answered must survive a power cut, so SQLite waits for the disk (FULL). Taking the write
# lock when a transaction begins (IMMEDIATE) makes writers queue where they would otherwise fail halfway; those of one
# process stand in line, so that nobody has to wait for luck.
SQLITE = {
    "ENGINE": "core.sqlite3",
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
    },
}

# Cursors on the server belong to one connection, and behind a pooler the next statement may get another.
POSTGRESQL = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, "DISABLE_SERVER_SIDE_CURSORS": True}
# A machine of ours that vanished in the middle of a transaction holds its locks for a minute at most, and whoever waits
# for one is told before they give up.
POSTGRESQL_SESSION = {
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "20s",
    "tcp_keepalives_idle": "30s",
    "tcp_keepalives_interval": "10s",
    "tcp_keepalives_count": "3",
}
# Seconds for a new connection, and milliseconds for word from the other side: a server that is there and says nothing,
# or whose machine has vanished, is as good as none, and people are told instead of kept waiting.
POSTGRESQL_OPTIONS = {
    "connect_timeout": 5,
    "tcp_user_timeout": 20_000,
    "options": " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_SESSION.items()),
}


def in_file(path: Path) -> dict[str, Any]:
    return SQLITE | {"NAME": path}


def named_by(url: str) -> dict[str, Any]:
    """Without a name, if the URL has none. What it asks for itself goes before what we ask."""
    named: dict[str, Any] = dict(dj_database_url.parse(url))
    if urlsplit(url).scheme == "sqlite":
        return named | SQLITE
    return named | POSTGRESQL | {"OPTIONS": POSTGRESQL_OPTIONS | named.get("OPTIONS", {})}
