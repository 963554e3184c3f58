"""Many at once: the lock lets one through, and without it (the control) more would come through."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from unittest.mock import patch

import msgspec
import pytest
from django.db import connection, connections

from games import table as tables
from games.audit import first_difference
from games.models import Event, Match, Move
from games.play import Submission, submit
from games.table import lay_table
from tests.games.builders import awaited, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def all_at_once(calls):
    """Runs the calls in threads that wait for one another; returns what each gave or raised."""
    start = Barrier(len(calls))

    def run(call):
        try:
            start.wait(timeout=30)
            return call()
        except Exception as error:  # noqa: BLE001 - a racer's failure is its result
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def statuses(answers):
    return sorted((getattr(answer, "status", type(answer).__name__) for answer in answers), key=str)


def test_of_twenty_equal_moves_one_is_played():
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: submit(table.match.id, mover, Submission("draw", turn))] * 20)
    assert statuses(answers) == [200] + [409] * 19
    assert Move.objects.count() == 1
    assert first_difference(lay_table(table.match.id)) is None


def test_of_twenty_requests_with_one_key_all_get_the_same_answer():
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: submit(table.match.id, mover, Submission("draw", turn, "key"))] * 20)
    assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
    assert Move.objects.count() == 1


def test_when_the_last_sealed_moves_come_at_once_there_is_one_reveal(hush):
    for _ in range(5):
        table = running_match("hush", 4)
        sealed = Submission("name 2", table.match.turn)
        answers = all_at_once([partial(submit, table.match.id, seat.user, sealed) for seat in table.seats])
        assert statuses(answers) == [200] * 4
        revealed = [msgspec.json.decode(answer.body)["turn"] for answer in answers]
        assert sorted(revealed) == [1, 1, 1, 2]
        assert Event.objects.filter(match=table.match, content__contains="revealed").count() == 1
        assert first_difference(lay_table(table.match.id)) is None


@pytest.fixture
def no_lock():
    """Neither the lock on the match row nor, with SQLite, the write lock from a transaction's beginning."""
    options = connections.settings["default"]["OPTIONS"]
    deferred = {"transaction_mode": "DEFERRED"} if connection.vendor == "sqlite" else {}
    with patch.object(tables, "locked", Match.objects.all), patch.dict(options, deferred):
        yield


def test_control_without_the_lock_racers_break_one_another(no_lock):
    """Of the guards only the unique numbers and the database's own alarm are left: errors instead of answers."""
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: submit(table.match.id, mover, Submission("draw", turn))] * 20)
    assert {"IntegrityError", "OperationalError"} & set(statuses(answers))
    assert Move.objects.count() == 1
