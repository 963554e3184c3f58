"""Marks for tests that need a certain kind of database."""

import pytest
from django.db import connection

postgresql_only = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="tests PostgreSQL; make test-postgresql runs it"
)
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="tests SQLite; make test-sqlite runs it")
