"""Fixtures and hooks for all tests. Tests of the engine run without Django, so nothing here imports it.

If TEST_DATABASE_URL contains the address of a PostgreSQL server, only the tests that use a database run, and they use
that server. If the server does not respond, they are skipped, or fail if CI=true. Tests of packages in `TEXTS` are slow
tests there, except those for PostgreSQL alone.

Random numbers are seeded with the name of the test, so every run deals the same cards. To find tests that pass only
with some deals, set TEST_SEED to any word.
"""

import os
import random
import secrets
import signal
import sys
from functools import cache
from pathlib import Path
from unittest.mock import patch

import hypothesis
import pytest

TESTS = Path(__file__).parent
DATABASE_URL = os.environ.get("TEST_DATABASE_URL", "")
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
TEXTS = {"inbound", "notifications", "web"}
"""Packages whose tests are mostly about texts, which hardly depend on the database."""

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
    if reason := database_is_missing():
        is_ci = os.environ.get("CI") == "true"
        pytest.exit(reason if is_ci else f"All tests were skipped. {reason}", returncode=1 if is_ci else 0)


def restore_interrupts():
    """Stop ignoring SIGINT. Background shells ignore it, and programs that tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    if not DATABASE_URL:
        return
    config.hook.pytest_deselected(items=[item for item in items if not uses_database(item)])
    items[:] = [item for item in items if uses_database(item)]
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in TEXTS and not item.get_closest_marker("skipif"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def prepared_structs():
    """Prepare the structs as the web server does, because many tests handle requests in several threads."""
    from config.preparation import prepare_for_threads

    prepare_for_threads()


def pytest_terminal_summary(terminalreporter, config):
    """Add the skipped tests to the file SKIPPED_TESTS, so that .ci/run can run them where nothing is missing."""
    path, is_worker = os.environ.get("SKIPPED_TESTS"), hasattr(config, "workerinput")
    if path and not is_worker:
        skipped = {report.nodeid for report in terminalreporter.stats.get("skipped", ())}
        with Path(path).open("a") as file:
            file.writelines(f"{name}\n" for name in sorted(skipped))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "clock.deadlines" in sys.modules:
        sys.modules["clock.deadlines"].LastGoodBeat.at = None
    if "core.jobs.runner" in sys.modules:  # an earlier test may have stopped a worker in this process
        sys.modules["core.jobs.runner"]._stopping.clear()
    seeded = random.Random(f"{SEED} {item.nodeid}")
    secrets.token_bytes = lambda nbytes=None: seeded.randbytes(nbytes or 32)
    secrets.choice = seeded.choice


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Keep SQLite in a file as in production, because an in-memory database has no WAL and uses different locks."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(autouse=True)
def no_notify_thread(monkeypatch):
    """Find stream events only by polling, because the thread that sends NOTIFY would outlive its test."""
    monkeypatch.setattr("stream.wakeup._notify", lambda: None)


@pytest.fixture
def api(db):
    """Return a function that creates API clients. `api(user)` is logged in as this user, and `api()` is anonymous."""
    from tests.callers import caller

    return caller


@pytest.fixture
def operator(client, db):
    """Return a browser in which an operator is logged in."""
    from accounts.models import User

    client.force_login(User.objects.create_superuser("operator", "operator@example.org", "correct horse"))
    return client


@pytest.fixture
def hush():
    """Register Hush, the tiny game with sealed rounds, for the duration of a test."""
    from tests.toy_games.hush import registered

    with registered() as engine:
        yield engine


@pytest.fixture
def no_lock():
    """Disable the lock on the match row and, with SQLite, the write lock at the start of a transaction."""
    from django.db import connection, connections

    from core.sql import Select
    from games.models import Match
    from games.selectors import loading

    options = connections.settings["default"]["OPTIONS"]
    deferred = {"transaction_mode": "DEFERRED"} if connection.vendor == "sqlite" else {}
    with (
        patch.object(loading, "locked", lambda **_: Match.objects.all()),
        patch.object(loading.MATCH, "sql", lambda database, **_: Select.sql(loading.MATCH, database)),
        patch.dict(options, deferred),
    ):
        yield


@pytest.fixture
def mail_server(settings):
    """Run a mail server that receives all mail from this test."""
    from tests.mail_server import RecordingMailServer

    with RecordingMailServer() as mail_server:
        settings.EMAIL_BACKEND = "notifications.mail.smtp_client.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
        yield mail_server


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Close connections that threads of the last test left open, because they would keep PostgreSQL from dropping the
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
