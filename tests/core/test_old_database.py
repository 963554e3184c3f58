"""A database from Turnpost 0.1.0 is refused everywhere with a clear message."""

import sqlite3
from contextlib import closing

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from config.startup_errors import readable_errors
from core.health import ReadinessCache
from core.old_database import MESSAGE, OldDatabase, is_old
from tests.deploy.services import manage

FROM_0_1_0 = [("rest", "0001_tally"), ("games", "0002_invited_addresses")]


@pytest.fixture
def old(db):
    MigrationRecorder(connection).record_applied("rest", "0001_tally")


@pytest.mark.django_db
def test_a_database_of_this_version_is_not_old():
    assert not is_old()


@pytest.mark.django_db
@pytest.mark.parametrize("migration", FROM_0_1_0)
def test_a_database_is_old_if_a_migration_from_0_1_0_was_applied(migration):
    MigrationRecorder(connection).record_applied(*migration)
    assert is_old()


def test_the_migrate_command_refuses_an_old_database(old):
    with pytest.raises(OldDatabase, match=r"created by Turnpost 0\.1\.0"):
        call_command("migrate", verbosity=0)


def test_with_an_old_database_the_service_is_not_ready_and_says_why(old, client, monkeypatch):
    monkeypatch.setattr(ReadinessCache, "migrated", False)
    MigrationRecorder(connection).migration_qs.filter(app="core").delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, MESSAGE)


def test_a_command_that_finds_a_table_missing_in_an_old_database_says_why(old):
    with pytest.raises(SystemExit) as ended, readable_errors():
        raise OperationalError("no such table: core_ratecount")
    assert ended.value.code == MESSAGE


@pytest.fixture
def folder(tmp_path):
    """Use a database that looks like one from 0.1.0."""
    with closing(sqlite3.connect(tmp_path / "turnpost.sqlite3")) as database, database:
        database.execute("CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app, name, applied)")
        row = "INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, '2026-01-01')"
        database.executemany(row, FROM_0_1_0)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "migrate", "audit"])
def test_commands_refuse_an_old_database_in_one_line_and_leave_it_unchanged(folder, command):
    refused = manage(command, TURNPOST_DATA=str(folder))
    assert (refused.returncode, refused.stderr) == (1, f"{MESSAGE}\n")
    with closing(sqlite3.connect(folder / "turnpost.sqlite3")) as database:
        assert database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [
            ("django_migrations",)
        ]
