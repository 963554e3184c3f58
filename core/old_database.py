"""Refuse databases from Turnpost 0.1.0, which have different tables and cannot be converted."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import pre_migrate

MESSAGE = (
    "This database was created by Turnpost 0.1.0. Version 0.2.0 can't read it. "
    "Use a new database, or keep running 0.1.0."
)
# Migrations that exist only in 0.1.0, because their app is gone or its history was restarted.
ONLY_IN_0_1_0 = {("rest", "0001_tally"), ("games", "0002_invited_addresses")}


class OldDatabase(Exception):
    def __init__(self) -> None:
        super().__init__(MESSAGE)


def is_old(database: str = DEFAULT_DB_ALIAS) -> bool:
    """Return whether this is a 0.1.0 database. Return False if the database is empty or unreachable."""
    try:
        applied = MigrationRecorder(connections[database]).applied_migrations()
    except DatabaseError:
        return False
    return not ONLY_IN_0_1_0.isdisjoint(applied)


def refuse_if_old(database: str = DEFAULT_DB_ALIAS) -> None:
    if is_old(database):
        raise OldDatabase


def refuse_to_migrate(using: str, **_: Any) -> None:
    refuse_if_old(using)


pre_migrate.connect(refuse_to_migrate, dispatch_uid="core.old_database")
