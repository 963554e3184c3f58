"""Databases of Turnpost 0.1.0 are refused: their tables have other names, and some rows cannot be converted."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import pre_migrate

MESSAGE = (
    "This database was made by Turnpost 0.1.0, which 0.2.0 cannot read. "
    "Start with a new database, or keep running 0.1.0."
)
# The first migration of an app that is gone, and the second of one whose history starts anew.
ONLY_IN_0_1_0 = {("rest", "0001_tally"), ("games", "0002_invited_addresses")}


class OldDatabase(Exception):
    def __init__(self) -> None:
        super().__init__(MESSAGE)


def is_old(database: str = DEFAULT_DB_ALIAS) -> bool:
    """An empty database, or one that cannot be reached, is not old."""
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
