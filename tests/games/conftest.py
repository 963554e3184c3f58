from unittest.mock import patch

import pytest
from django.db import connection, connections

from games import table as tables
from games.models import Match
from tests.toy_games.hush import registered


@pytest.fixture
def hush():
    """The tiny game with sealed rounds, registered for one test."""
    with registered() as engine:
        yield engine


@pytest.fixture
def no_lock():
    """Neither the lock on the match row nor, with SQLite, the write lock from a transaction's beginning."""
    options = connections.settings["default"]["OPTIONS"]
    deferred = {"transaction_mode": "DEFERRED"} if connection.vendor == "sqlite" else {}
    with (
        patch.object(tables, "locked", lambda **_: Match.objects.all()),
        patch.object(tables, "LOCKED_MATCH", tables.MATCH),
        patch.dict(options, deferred),
    ):
        yield
