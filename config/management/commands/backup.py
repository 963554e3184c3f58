"""Copy the SQLite database atomically while the service is running. Only the owner can read the copy."""

import os
import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core.text import counted
from games.models import Match

NAME = "turnpost.sqlite3"


class BackupFailed(Exception):
    """Raised with a message that says what went wrong and what to do."""


def back_up(database: Path, folder: Path) -> tuple[Path, int]:
    """Copy the database.

    Return the path of the copy and how many matches it contains. The previous copy is kept until the new one is
    complete.
    """
    target = folder / NAME
    if not folder.is_dir():
        raise BackupFailed(f"There is no folder {folder}. Create it first, and make sure that only you can read it.")
    if not database.is_file():
        raise BackupFailed(f"There is no database {database}. Check TURNPOST_DATA.")
    if target.exists() and target.samefile(database):
        raise BackupFailed(f"{folder} contains the database itself. Choose another folder.")
    with TemporaryDirectory(dir=folder) as private:
        copy = Path(private) / NAME
        copy.touch(mode=0o600)
        matches = copy_whole(database, copy)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        copy.replace(target)
    return target, matches


def copy_whole(database: Path, copy: Path) -> int:
    """Copy the database in a single read transaction, so that nobody has to wait."""
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=rw", uri=True)) as source:
            source.execute("VACUUM INTO ?", [str(copy)])
        with closing(sqlite3.connect(copy)) as made:
            (matches,) = made.execute(f"SELECT COUNT(*) FROM {Match._meta.db_table}").fetchone()  # noqa: S608
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{database} is not a readable Turnpost database: {error}.") from error
    return int(matches)


class Command(BaseCommand):
    help = "Copy the SQLite database to a folder while the service runs. The keys are not included."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="target folder; an earlier copy in it is replaced")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("Use pg_dump to back up PostgreSQL; see docs/operating.md.")
        try:
            target, matches = back_up(Path(connection.settings_dict["NAME"]), options["folder"])
        except BackupFailed as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(f"Copied {counted(matches, 'match', 'matches')} to {target}.")
