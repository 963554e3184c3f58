"""What an operator can mend is said in a sentence; a traceback is for what only we can."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError

from core.old_database import OldDatabase, is_old
from core.vault import CannotDecrypt

DATABASE = "The database cannot be used: {}. Is DATABASE_URL right, and was manage.py migrate run?"
UNDEFINED_TABLE, UNDEFINED_COLUMN = "42P01", "42703"


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Ends the program with one, unless --traceback asks for more."""
    try:
        yield
    except (ImproperlyConfigured, OldDatabase, OperationalError, ProgrammingError, CannotDecrypt) as error:
        if "--traceback" in sys.argv or is_our_mistake(error):
            raise
        sys.exit(sentence(error))


def is_our_mistake(error: Exception) -> bool:
    """A missing table or column is none: PostgreSQL counts it among wrong queries, SQLite does not."""
    state = getattr(error.__cause__, "sqlstate", "")
    return isinstance(error, ProgrammingError) and state not in (UNDEFINED_TABLE, UNDEFINED_COLUMN)


def sentence(error: Exception) -> str:
    if isinstance(error, ImproperlyConfigured | OldDatabase | CannotDecrypt):
        return str(error)
    if is_old():
        return str(OldDatabase())
    return DATABASE.format(str(error).partition("\n")[0])
