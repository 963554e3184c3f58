"""The commands for backup and restore, taken from the page for operators and run as they stand there."""

import os
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg import sql

from games.models import Match
from tests.deploy.services import ROOT, environment
from tests.games.builders import play_some, running_match
from tests.workers import database_url

PAGE = (ROOT / "docs" / "operating.md").read_text()

pytestmark = pytest.mark.django_db(transaction=True)


def commands(what, database):
    (script,) = re.findall(rf"```sh {what} {database}\n(.*?)```", PAGE, re.DOTALL)
    return script


def run(script, **variables):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    known = environment(**variables) | {"PATH": path}
    done = subprocess.run(["sh", "-euc", script], cwd=ROOT, env=known, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def matches():
    """One that is over, one in the middle of a sealed round, one with secrets in hands."""
    play_some(running_match("coloretto", 3))
    play_some(running_match("colorado-county", 2), 5)
    play_some(running_match("coloretto", 2), 9)
    return Match.objects.count()


@pytest.fixture
def empty_database():
    """The address of an empty PostgreSQL database, which is gone afterwards."""
    if missing := [tool for tool in ("pg_dump", "pg_restore") if not shutil.which(tool)]:
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop(f"{missing[0]} is not installed")
    name = f"turnpost_restored_{uuid.uuid4().hex[:12]}"
    address = database_url(connection.settings_dict)
    with psycopg.connect(os.environ["TEST_DATABASE_URL"], autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield address.rpartition("/")[0] + f"/{name}"
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="is about PostgreSQL; make suite-postgresql runs it")
def test_a_dump_of_postgresql_restored_into_an_empty_database_has_every_match_to_the_byte(
    tmp_path, matches, empty_database
):
    keys = {
        "TURNPOST_DATA": str(tmp_path),
        "BACKUP": str(tmp_path),
        "TURNPOST_VAULT_KEYS": ",".join(settings.VAULT_KEYS),
    }
    run(commands("backup", "postgresql"), DATABASE_URL=database_url(connection.settings_dict), **keys)
    said = run(commands("restore", "postgresql"), DATABASE_URL=empty_database, **keys)
    assert f"{matches} matches replayed, every byte as stored." in said


@pytest.mark.skipif(connection.vendor != "sqlite", reason="is about SQLite; make suite runs it")
def test_a_copy_of_sqlite_made_while_it_is_used_has_every_match_to_the_byte(tmp_path, matches):
    served, backup, restored = (tmp_path / name for name in ("served", "backup", "restored"))
    for folder in (served, backup, restored):
        folder.mkdir()
    (served / "turnpost.sqlite3").symlink_to(connection.settings_dict["NAME"])
    (served / "secret_key").write_text(settings.SECRET_KEY)
    (served / "vault_key").write_text(settings.VAULT_KEYS[0])
    run(commands("backup", "sqlite"), TURNPOST_DATA=str(served), BACKUP=str(backup))
    said = run(commands("restore", "sqlite"), TURNPOST_DATA=str(restored), BACKUP=str(backup))
    assert f"{matches} matches replayed, every byte as stored." in said
