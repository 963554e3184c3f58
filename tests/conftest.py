"""Fixtures and hooks for all tests. Tests of the engine run without Django, so nothing here imports it.

If TEST_DATABASE_URL names a PostgreSQL server, only the tests that use a database run, with that server. If the server
does not respond, they are skipped. With CI=true, the run fails instead.

Random numbers are seeded with the name of the test, so every run deals the same cards. To find tests that pass only
with some deals, set TEST_SEED to any word.
"""

import os
import random
import secrets
import signal
import sys
from functools import cache
from unittest.mock import patch

import hypothesis
import pytest

DATABASE_URL = os.environ.get("TEST_DATABASE_URL", "")
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}

SEED = os.environ.get("TEST_SEED", "")

hypothesis.settings.register_profile("turnpost", deadline=None, derandomize=not SEED)
hypothesis.settings.load_profile("turnpost")


@cache
def database_is_missing() -> str:
    """Return why the server at TEST_DATABASE_URL is unavailable, or an empty string if it responds."""
    if not DATABASE_URL:
        return ""
    import psycopg

    try:
        psycopg.connect(DATABASE_URL, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        return f"PostgreSQL cannot be reached: {str(error).splitlines()[0]}"
    return ""


def uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("any_database") is not None:
        return False
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


def pytest_sessionstart():
    restore_interrupts()
    if os.environ.get("CI") == "true" and database_is_missing():
        pytest.exit(database_is_missing(), returncode=1)


def restore_interrupts():
    """Stop ignoring SIGINT. A background shell ignores it, and programs that tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    if not DATABASE_URL:
        return
    config.hook.pytest_deselected(items=[item for item in items if not uses_database(item)])
    items[:] = [item for item in items if uses_database(item)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if database_is_missing():
        pytest.skip(database_is_missing())
    if "clock.deadlines" in sys.modules:
        sys.modules["clock.deadlines"].LastGoodBeat.at = None
    if "core.jobs.runner" in sys.modules:  # an earlier test may have stopped a worker in this process
        sys.modules["core.jobs.runner"]._stopping.clear()
    seeded = random.Random(f"{SEED} {item.nodeid}")
    secrets.token_bytes = lambda nbytes=None: seeded.randbytes(nbytes or 32)
    secrets.choice = seeded.choice


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Keep SQLite in a file as in production: an in-memory database has no WAL and different locks."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture
def api(db):
    """`api(user)` is a client that is logged in as this user. `api()` is an anonymous client."""
    from tests.callers import caller

    return caller


@pytest.fixture
def operator(client, db):
    """A browser in which an operator is logged in."""
    from accounts.models import User

    client.force_login(User.objects.create_superuser("operator", "operator@example.org", "correct horse"))
    return client


@pytest.fixture
def hush():
    """The tiny game with sealed rounds, registered for one test."""
    from tests.toy_games.hush import registered

    with registered() as engine:
        yield engine


@pytest.fixture
def no_lock():
    """Disable the lock on the match row and, with SQLite, the write lock at the start of a transaction."""
    from django.db import connection, connections

    from games.models import Match
    from games.selectors import loading

    options = connections.settings["default"]["OPTIONS"]
    deferred = {"transaction_mode": "DEFERRED"} if connection.vendor == "sqlite" else {}
    rows = loading.MATCH.rows
    with (
        patch.object(loading, "locked", lambda **_: Match.objects.all()),
        patch.object(loading.MATCH, "rows", lambda parameters, **_: rows(parameters)),
        patch.dict(options, deferred),
    ):
        yield


@pytest.fixture
def mail_server(settings):
    """A mail server that receives all mail from this test."""
    from tests.mail_server import RecordingMailServer

    with RecordingMailServer() as mail_server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
        yield mail_server


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Close connections that threads of the last test left open, because they keep PostgreSQL from dropping the
    database."""
    yield
    from django.db import connection

    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
