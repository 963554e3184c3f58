from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.services.backups import NoBackup, back_up


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
