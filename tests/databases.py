"""Marks for tests that need a certain kind of database, and a counter for round trips to PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any

import psycopg
import pytest
from django.db import connection

postgresql_only = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="tests PostgreSQL; make test-postgresql runs it"
)
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="tests SQLite; make test-sqlite runs it")


class Trips:
    count = 0


@contextmanager
def counted_round_trips(used: psycopg.Connection[Any] | None = None) -> Iterator[Trips]:
    """Count the server's responses in libpq's own record of the traffic, on Django's connection or on another one."""
    trips = Trips()
    connection.ensure_connection()
    pgconn = (used or connection.connection).pgconn
    with TemporaryFile("w+") as traffic:
        pgconn.trace(traffic.fileno())
        yield trips
        pgconn.untrace()
        traffic.seek(0)
        trips.count = traffic.read().count("ReadyForQuery")
