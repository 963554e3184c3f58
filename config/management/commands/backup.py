"""Copies the SQLite database while the service runs: whole or not at all, and for nobody else to read."""

import os
import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.models import Match

NAME = "turnpost.sqlite3"


class NoBackup(Exception):
    """Says why, and what instead."""


def back_up(database: Path, folder: Path) -> tuple[Path, int]:
    """Where the copy is, and how many matches it has. The one of the day before stays until this one is complete."""
    kept = folder / NAME
    if not folder.is_dir():
        raise NoBackup(f"There is no folder {folder}. Make it first, where nobody else can read.")
    if not database.is_file():
        raise NoBackup(f"There is no database {database}. Is TURNPOST_DATA spelt right?")
    if kept.exists() and kept.samefile(database):
        raise NoBackup(f"The database itself is in {folder}. Name another folder.")
    with TemporaryDirectory(dir=folder) as private:
        copy = Path(private) / NAME
        copy.touch(mode=0o600)
        matches = copy_whole(database, copy)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        copy.replace(kept)
    return kept, matches


def copy_whole(database: Path, copy: Path) -> int:
    """In one transaction that only reads, so nobody has to wait for it."""
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=rw", uri=True)) as source:
            source.execute("VACUUM INTO ?", [str(copy)])
        with closing(sqlite3.connect(copy)) as made:
            (matches,) = made.execute(f"SELECT COUNT(*) FROM {Match._meta.db_table}").fetchone()  # noqa: S608
    except sqlite3.DatabaseError as error:
        raise NoBackup(f"{database} cannot be copied as a database of Turnpost: {error}.") from error
    return int(matches)


class Command(BaseCommand):
    help = "Copies the SQLite database into a folder, while the service runs. The keys are not in it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="where the copy replaces the one before")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The database is PostgreSQL: back it up with pg_dump, as docs/operating.md says.")
        try:
            kept, matches = back_up(Path(connection.settings_dict["NAME"]), options["folder"])
        except NoBackup as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(f"{matches} matches are in {kept}.")
