"""The clock can handle matches that are locked by a vanished machine or a long transaction."""

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
    """Open a connection like that of another machine, with our settings."""
    parts = connection.get_connection_params()
    known = {name: parts[name] for name in ("dbname", "user", "password", "host", "port", "options") if name in parts}
    with psycopg.connect(**known) as other:
        yield other
        other.rollback()


def moves_made(table):
    return Match.objects.get(pk=table.match.pk).moves_made


def test_the_sweep_skips_a_locked_match_and_retries_it(frozen_time, elsewhere):
    locked, other = running_match(seats=2, pace=Pace(DAY)), running_match(seats=2, pace=Pace(DAY))
    elsewhere.execute("SELECT 1 FROM games_match WHERE id = %s FOR NO KEY UPDATE", [locked.match.id])
    frozen_time.shift(DAY)
    sweep()
    assert (moves_made(locked), moves_made(other) > 0) == (0, True)
    elsewhere.rollback()
    sweep()
    assert moves_made(locked) > 0


@pytest.mark.parametrize(
    ("setting", "limit"), [("lock_timeout", "20s"), ("idle_in_transaction_session_timeout", "1min")]
)
def test_waiting_for_a_lock_and_holding_one_while_idle_both_time_out(elsewhere, setting, limit):
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {setting}")
        assert cursor.fetchone() == elsewhere.execute(f"SHOW {setting}").fetchone() == (limit,)
