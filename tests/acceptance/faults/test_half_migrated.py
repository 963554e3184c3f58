"""The code and the database don't match. Players get a clear error, and operators learn which command fixes it."""

import signal
import subprocess
import sys
import uuid
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest
import requests
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from bench.scratch import SERVER
from core import health
from demo.ports import free_port
from tests.deploy.services import ROOT, environment, manage, running
from tests.games.builders import awaited, running_match, sitting
from tests.requirements import require

IN_THE_MIDDLE = 80
"""The number of a schema change in the middle of the games migration. There are about 160 changes in total."""


@contextmanager
def empty_postgresql():
    require("PostgreSQL")
    name = f"turnpost_fault_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(SERVER)._replace(path=f"/{name}").geturl()
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def variables(request, tmp_path):
    folder = {"TURNPOST_DATA": str(tmp_path / "data")}
    if request.param == "sqlite":
        yield folder | {"DATABASE_URL": f"sqlite:///{tmp_path}/turnpost.sqlite3"}
        return
    with empty_postgresql() as url:
        yield folder | {"DATABASE_URL": url}


def kill_migrate(variables):
    command = [sys.executable, "-m", "tests.acceptance.faults.killed_migration", str(IN_THE_MIDDLE)]
    killed = subprocess.run(
        command, cwd=ROOT, env=environment(**variables), capture_output=True, text=True, timeout=120
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr


def log_in(port):
    body = {"login": "ann", "password": "correct horse"}
    return requests.post(f"http://127.0.0.1:{port}/api/v1/tokens", json=body, timeout=30)


@pytest.mark.slow
def test_a_killed_migration_causes_a_clear_error_until_it_is_run_again(variables, tmp_path):
    kill_migrate(variables)
    told = manage("audit", **variables)
    assert told.returncode == 1
    assert "run: manage.py migrate" in told.stderr
    assert "Traceback" not in told.stderr
    port = free_port()
    served = variables | {"TURNPOST_BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "1"}
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
    with running(gunicorn, port, tmp_path / "log", **served):
        ready = requests.get(f"http://127.0.0.1:{port}/readyz", timeout=30)
        assert ready.status_code == 503
        assert "run manage.py migrate" in ready.json()["database"]
        refused = log_in(port)
        assert refused.status_code == 503
        assert refused.json() == {
            "code": "being_updated",
            "message": "The service is being updated.",
            "hint": "Try again in 5 seconds. Everything confirmed so far is safe.",
            "data": {"retry_after": 5},
        }
        mended = manage("migrate", "--no-input", **variables)
        assert mended.returncode == 0, mended.stderr
        assert manage("migrate", "--check", **variables).returncode == 0
        assert requests.get(f"http://127.0.0.1:{port}/readyz", timeout=30).status_code == 200
        assert log_in(port).json()["code"] == "wrong_login", "The process was not restarted."


def test_a_service_that_is_newer_than_its_database_does_not_start_and_says_what_to_run(tmp_path):
    with empty_postgresql() as url:
        refused = manage("serve", "--port", str(free_port()), DATABASE_URL=url, TURNPOST_DATA=str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("Run: manage.py migrate")
    assert "Traceback" not in refused.stderr


@pytest.mark.django_db
def test_a_service_that_is_older_than_its_database_keeps_working(client, api, monkeypatch):
    """This happens after a rollback, when the next version has already added a table and a column."""
    monkeypatch.setattr(health.ReadinessCache, "migrated", False)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE games_ofthenextversion (id integer)")
        cursor.execute("ALTER TABLE games_match ADD COLUMN of_the_next_version integer NULL")
    MigrationRecorder(connection).record_applied("games", "9999_of_the_next_version")
    assert client.get("/readyz").status_code == 200
    table = running_match()
    body = {"move": "draw", "turn": table.match.turn}
    answer = api(sitting(awaited(table))).post(f"/api/v1/matches/{table.match.id}/moves", body)
    assert answer.status_code == 200
