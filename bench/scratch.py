"""A temporary database for a measurement, filled with as many matches as needed."""

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, LiteralString
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from cli.environment import clean_environment

if TYPE_CHECKING:
    from django.db.models import Model

SERVER = os.environ.get("BENCH_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")


class NoServerError(Exception):
    """Raised if PostgreSQL cannot be reached."""


@contextmanager
def database(kind: str = "postgresql", server: str = SERVER) -> Iterator[None]:
    """Set up Django with an empty, migrated database.

    This works once per process, because settings are read only once.
    """
    with postgresql(server) if kind == "postgresql" else sqlite():
        yield


@contextmanager
def sqlite() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        set_up(f"sqlite:///{folder}/bench.sqlite3", folder)
        yield
        close_connections()


@contextmanager
def postgresql(server: str = SERVER) -> Iterator[None]:
    name = f"turnpost_bench_{os.getpid()}"
    ask(server, "CREATE DATABASE {}", name)
    with tempfile.TemporaryDirectory() as folder:
        try:
            set_up(urlsplit(server)._replace(path=f"/{name}").geturl(), folder)
            yield
        finally:
            close_connections()
            ask(server, "DROP DATABASE {} WITH (FORCE)", name)


def ask(server: str, statement: LiteralString, name: str) -> None:
    """Run a query on a new connection, because the server may have been restarted since the last query."""
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        raise NoServerError(f"PostgreSQL cannot be reached: {str(error).splitlines()[0]}") from error
    with connection:
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


def set_up(url: str, folder: str) -> None:
    for foreign in os.environ.keys() - clean_environment().keys():
        del os.environ[foreign]
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": url, "TURNPOST_DATA": folder}
    import django
    from django.core.management import call_command

    django.setup()
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)


def close_connections() -> None:
    from django.db import connections

    connections.close_all()


def copy_rows(template: "Model", count: int, **expressions: str) -> None:
    """Copy one row `count` times.

    `expressions` contains SQL for the columns that differ between copies. The expressions can use `n`, the
    number of the copy, which starts at 1.
    """
    from django.db import connection

    fields = [field for field in template._meta.local_concrete_fields if not is_made_by_database(field, expressions)]
    columns = [str(field.column) for field in fields]
    values = ", ".join(expressions.get(column, f't."{column}"') for column in columns)
    table = template._meta.db_table
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %s)
            INSERT INTO {table} ({names}) SELECT {values} FROM {table} t, counted WHERE t.id = %s""",
            [count, template.pk],
        )


def is_made_by_database(field: Any, expressions: Mapping[str, str]) -> bool:
    return bool(field.primary_key) and field.column not in expressions


def analyse() -> None:
    """Run the maintenance that a database of this size would already have had."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
