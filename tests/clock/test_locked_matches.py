"""Somebody has the lock of a match and is not heard of: a machine that vanished, or a transaction that takes long."""

from datetime import timedelta

import psycopg
import pytest
from django.db import connection

from clock.sweep import sweep
from games.models import Match
from games.models.pace import Pace
from tests.databases import postgresql_only
from tests.games.builders import running_match

pytestmark = [
    pytest.mark.django_db(transaction=True),
    postgresql_only,
]
DAY = timedelta(days=1)


@pytest.fixture
def elsewhere():
    """A connection of another machine, opened as ours are."""
    parts = connection.get_connection_params()
    known = {name: parts[name] for name in ("dbname", "user", "password", "host", "port", "options") if name in parts}
    with psycopg.connect(**known) as other:
        yield other
        other.rollback()


def moves_made(table):
    return Match.objects.get(pk=table.match.pk).moves_made


def test_the_clock_passes_by_and_looks_there_again(wall, elsewhere):
    locked, other = running_match(seats=2, pace=Pace(DAY)), running_match(seats=2, pace=Pace(DAY))
    elsewhere.execute("SELECT 1 FROM games_match WHERE id = %s FOR NO KEY UPDATE", [locked.match.id])
    wall.shift(DAY)
    sweep()
    assert (moves_made(locked), moves_made(other) > 0) == (0, True)
    elsewhere.rollback()
    sweep()
    assert moves_made(locked) > 0


@pytest.mark.parametrize(
    ("setting", "limit"), [("lock_timeout", "20s"), ("idle_in_transaction_session_timeout", "1min")]
)
def test_no_lock_is_waited_for_or_held_in_silence_for_long(elsewhere, setting, limit):
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {setting}")
        assert cursor.fetchone() == elsewhere.execute(f"SHOW {setting}").fetchone() == (limit,)
