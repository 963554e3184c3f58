"""Writers to SQLite wait in a queue."""

import threading

import pytest
from django.db import OperationalError, connection, connections, transaction

from clock.models import Downtime, Heartbeat
from core.sqlite3.base import WriteQueue
from tests.games.racing import all_at_once
from tests.waiting import until


@pytest.fixture
def line():
    return WriteQueue()


def come(line, name, order):
    def stand():
        line.enter(30)
        order.append(name)
        line.leave()

    thread = threading.Thread(target=stand)
    thread.start()
    return thread


def test_writers_are_served_in_the_order_they_arrived(line):
    order: list[str] = []
    threads: list[threading.Thread] = []
    line.enter(1)
    for name in "abcde":
        threads.append(come(line, name, order))
        assert until(lambda: len(line._waiting) == len(threads))
    line.leave()
    for thread in threads:
        thread.join()
    assert order == list("abcde")


def test_a_writer_that_waited_too_long_fails_and_leaves_the_queue(line):
    line.enter(1)
    with pytest.raises(OperationalError, match="database is locked"):
        line.enter(0.01)
    line.leave()
    line.enter(0.01)


@pytest.fixture
def sqlite(transactional_db):
    if connection.vendor != "sqlite":
        pytest.skip("This test is for SQLite only.")


def write(fail=False):
    try:
        with transaction.atomic():
            Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"at": "2026-11-16T12:00Z"})
            if fail:
                raise ValueError
    except ValueError:
        return "failed"
    Downtime.objects.filter(pk=0).update(is_credited=True)
    return "written"


@pytest.mark.usefixtures("sqlite")
def test_the_queue_continues_no_matter_how_a_transaction_ends():
    assert sorted(all_at_once([write, lambda: write(fail=True)] * 10)) == ["failed"] * 10 + ["written"] * 10


@pytest.mark.usefixtures("sqlite")
def test_closing_a_connection_inside_a_transaction_releases_the_queue():
    def vanish():
        connections["default"].set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        connections["default"].close()
        return "gone"

    assert all_at_once([vanish]) == ["gone"]
    assert write() == "written"
