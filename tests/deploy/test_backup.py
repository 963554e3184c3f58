"""The backup and restore commands in docs/operating.md work."""

import os
import re
import shutil
import stat
import subprocess
import sys
import uuid
from dataclasses import dataclass, fields
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from games.models import Match
from tests.databases import postgresql_only, sqlite_only
from tests.deploy.services import ROOT, environment, manage
from tests.games.builders import play_some, running_match
from tests.requirements import unavailable
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
    """Create a finished match, one in a sealed round, and one with secret hands."""
    play_some(running_match("coloretto", 3))
    play_some(running_match("colorado-county", 2), 5)
    play_some(running_match("coloretto", 2), 9)
    return Match.objects.count()


@pytest.fixture
def empty_database():
    """Create an empty PostgreSQL database and yield its URL. The database is dropped afterwards."""
    if missing := [tool for tool in ("pg_dump", "pg_restore") if not shutil.which(tool)]:
        unavailable(f"{missing[0]} is not installed")
    name = f"turnpost_restored_{uuid.uuid4().hex[:12]}"
    address = database_url(connection.settings_dict)
    with psycopg.connect(os.environ["TEST_DATABASE_URL"], autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield address.rpartition("/")[0] + f"/{name}"
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@postgresql_only
def test_a_restored_postgresql_dump_has_every_match(tmp_path, matches, empty_database):
    keys = {
        "TURNPOST_DATA": str(tmp_path),
        "BACKUP": str(tmp_path),
        "TURNPOST_VAULT_KEYS": ",".join(settings.VAULT_KEYS),
        "TURNPOST_SIGNING_KEYS": ",".join(settings.SIGNING_KEYS),
    }
    run(commands("backup", "postgresql"), DATABASE_URL=database_url(connection.settings_dict), **keys)
    said = run(commands("restore", "postgresql"), DATABASE_URL=empty_database, **keys)
    assert f"Replayed {matches} matches. No differences found." in said


@dataclass(frozen=True)
class Folders:
    served: Path
    backup: Path
    keys: Path
    restored: Path

    def run(self, what, data=None):
        variables = {"TURNPOST_DATA": data or self.served, "BACKUP": self.backup, "KEYS": self.keys}
        return run(commands(what, "sqlite"), **{name: str(path) for name, path in variables.items()})


@pytest.fixture
def folders(tmp_path):
    """Return the folders of a service that uses this test's database."""
    made = Folders(*(tmp_path / field.name for field in fields(Folders)))
    for folder in (made.served, made.backup, made.keys, made.restored):
        folder.mkdir()
    (made.served / "turnpost.sqlite3").symlink_to(connection.settings_dict["NAME"])
    (made.served / "secret_key").write_text(settings.SECRET_KEY)
    (made.served / "vault_key").write_text(settings.VAULT_KEYS[0])
    return made


@sqlite_only
class TestSqlite:
    def test_a_copy_made_while_the_service_is_in_use_has_every_match(self, folders, matches):
        assert f"Copied {matches} matches to" in folders.run("backup")
        folders.run("keys")
        said = folders.run("restore", data=folders.restored)
        assert f"Replayed {matches} matches. No differences found." in said

    def test_the_next_backup_replaces_the_previous_one(self, folders):
        folders.run("backup")
        running_match()
        assert "Copied 1 match to" in folders.run("backup")
        assert [path.name for path in folders.backup.iterdir()] == ["turnpost.sqlite3"]

    def test_the_copy_is_private_and_contains_no_keys(self, folders):
        folders.run("backup")
        (copy,) = folders.backup.iterdir()
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600

    def test_a_missing_database_is_neither_created_nor_copied(self, folders, tmp_path):
        mistyped = tmp_path / "srved"
        said = manage("backup", str(folders.backup), TURNPOST_DATA=str(mistyped))
        assert (said.returncode, said.stderr) == (
            1,
            f"CommandError: There is no database {mistyped}/turnpost.sqlite3. Check TURNPOST_DATA.\n",
        )
        assert not (mistyped / "turnpost.sqlite3").exists()
        assert not list(folders.backup.iterdir())

    @pytest.mark.parametrize("content", [b"", b"no database at all, and longer than a header" * 9])
    def test_a_file_that_is_not_our_database_is_refused_and_the_earlier_copy_stays(self, folders, content):
        folders.run("backup")
        before = (folders.backup / "turnpost.sqlite3").read_bytes()
        (folders.restored / "turnpost.sqlite3").write_bytes(content)
        said = manage("backup", str(folders.backup), TURNPOST_DATA=str(folders.restored))
        assert (said.returncode, "is not a readable Turnpost database" in said.stderr) == (1, True)
        assert (folders.backup / "turnpost.sqlite3").read_bytes() == before
        assert len(list(folders.backup.iterdir())) == 1

    def test_a_missing_folder_is_reported(self, folders):
        with pytest.raises(CommandError, match="There is no folder"):
            call_command("backup", str(folders.backup / "tonight"))

    def test_the_database_itself_is_never_replaced(self, folders):
        said = manage("backup", str(folders.served), TURNPOST_DATA=str(folders.served))
        assert (said.returncode, "Choose another folder." in said.stderr) == (1, True)


@postgresql_only
def test_with_postgresql_the_command_recommends_pg_dump(tmp_path):
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", str(tmp_path))
