"""A PostgreSQL database of one's own for a measurement, filled with as many matches as wanted, and gone afterwards."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from django.db.models import Model

SERVER = os.environ.get("BENCH_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")


class NoServerError(Exception):
    """There is no PostgreSQL to measure with."""


@contextmanager
def database() -> Iterator[None]:
    """Sets Django up on an empty, migrated database. Only once in a process: settings are read once."""
    name = f"turnpost_bench_{os.getpid()}"
    try:
        server = psycopg.connect(SERVER, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        raise NoServerError(f"PostgreSQL cannot be reached: {str(error).splitlines()[0]}") from error
    with server, tempfile.TemporaryDirectory() as folder:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            set_up(urlsplit(SERVER)._replace(path=f"/{name}").geturl(), folder)
            yield
        finally:
            close_connections()
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def set_up(url: str, folder: str) -> None:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": url, "TURNPOST_DATA": folder}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def close_connections() -> None:
    from django.db import connections

    connections.close_all()


def copy_rows(template: "Model", count: int, **expressions: str) -> None:
    """Copies one row `count` times; `expressions` are SQL for columns that differ, with n counting from 1."""
    from django.db import connection

    fields = [field for field in template._meta.local_concrete_fields if not is_made_by_database(field, expressions)]
    columns = [str(field.column) for field in fields]
    values = ", ".join(expressions.get(column, f't."{column}"') for column in columns)
    table = template._meta.db_table
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} t, generate_series(1, %s) n WHERE t.id = %s",
            [count, template.pk],
        )


def is_made_by_database(field: Any, expressions: Mapping[str, str]) -> bool:
    return bool(field.primary_key) and field.column not in expressions


def analyse() -> None:
    """What the database's own housekeeping would have done by now."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
