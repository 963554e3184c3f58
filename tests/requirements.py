"""Find the programs and servers that some tests need. If one is missing, the test is skipped, or fails if CI=true."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
from kombu import Connection
from kombu.exceptions import KombuError

BROKERS = {"redis": "redis://127.0.0.1:6379/15", "rabbitmq": "amqp://guest:guest@127.0.0.1:5672//"}
CHROMIUM = "/usr/bin/chromium"
ADMIN_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")


def require(*names: str) -> None:
    if missing := [name for name in names if not CHECKS[name]()]:
        unavailable(f"needs {' and '.join(missing)}")


def unavailable(reason: str) -> NoReturn:
    stop = pytest.fail if in_ci() else pytest.skip
    stop(reason)


def in_ci() -> bool:
    return os.environ.get("CI") == "true"


def find_program(name: str) -> str | None:
    """Return the path of a program, even if only administrators have it on their PATH."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *ADMIN_FOLDERS]))


def broker_answers(url: str) -> bool:
    try:
        with Connection(url, connect_timeout=3) as connection:
            connection.ensure_connection(max_retries=1, timeout=3)
    except (KombuError, OSError):
        return False
    return True


def postgresql_answers() -> bool:
    import psycopg

    from bench.scratch import SERVER

    try:
        psycopg.connect(SERVER, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def has_postgresql_programs() -> bool:
    from tests.acceptance.faults import postgresql

    try:
        postgresql.programs()
    except postgresql.NoServer:
        return False
    return True


CHECKS: dict[str, Callable[[], bool]] = {
    "Chromium": Path(CHROMIUM).exists,
    **{name: partial(broker_answers, url) for name, url in BROKERS.items()},
    "PostgreSQL": postgresql_answers,
    "PostgreSQL's programs": has_postgresql_programs,
}
