"""Print a message instead of a traceback for errors that an operator can fix."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError

from core.old_database import OldDatabase, is_old
from core.vault import CannotDecrypt

DATABASE = "Cannot use the database: {}. Check DATABASE_URL, and run: manage.py migrate"
UNDEFINED_TABLE, UNDEFINED_COLUMN = "42P01", "42703"


@contextmanager
def readable_errors() -> Iterator[None]:
    """Exit with a readable message, unless --traceback is given."""
    try:
        yield
    except (ImproperlyConfigured, OldDatabase, OperationalError, ProgrammingError, CannotDecrypt) as error:
        if "--traceback" in sys.argv or is_bug(error):
            raise
        sys.exit(message(error))


def is_bug(error: Exception) -> bool:
    """Return whether this is a ProgrammingError with any cause other than a missing table or column in PostgreSQL."""
    state = getattr(error.__cause__, "sqlstate", "")
    return isinstance(error, ProgrammingError) and state not in (UNDEFINED_TABLE, UNDEFINED_COLUMN)


def message(error: Exception) -> str:
    if isinstance(error, ImproperlyConfigured | OldDatabase | CannotDecrypt):
        return str(error)
    if is_old():
        return str(OldDatabase())
    return DATABASE.format(str(error).partition("\n")[0])
