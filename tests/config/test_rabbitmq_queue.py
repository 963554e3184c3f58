"""A worker talks to RabbitMQ from one thread. Two at once take each other's answers, and wait for them forever."""

import threading
from contextlib import contextmanager

import pytest
from celery import Celery

from config.background import Worker
from tests.brokers import BROKERS, broker
from tests.storm.gate import Gate
from tests.waiting import until

LONG, SHORT = "games.tidy_up", "accounts.forget_expired"
BUSY, MORE, LONGEST = 6, 100, 30


class Work:
    """What stands in for two of our tasks: one that goes on until it may end, and one that is done at once."""

    def __init__(self):
        self.begun, self.done, self.may_end = [], [], threading.Event()

    def go_on(self):
        self.begun.append(LONG)
        self.may_end.wait()

    def hurry(self):
        self.done.append(SHORT)


@pytest.fixture
def work(monkeypatch):
    work = Work()
    monkeypatch.setattr("games.tasks.housekeeping.tidy_up", work.go_on)
    monkeypatch.setattr("accounts.tasks.housekeeping.forget_expired", work.hurry)
    return work


@contextmanager
def worker_behind(gate, queue, work):
    """With our settings. It must come to an end."""
    app = Celery(broker=BROKERS["rabbitmq"].replace("5672", str(gate.port)))
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.task_default_queue = queue
    # What is not yet acknowledged when the connection is lost is asked for once more.
    worker = Worker(app, concurrency=2 * BUSY + 2)
    worker.launch()
    halting = threading.Thread(target=worker.halt, daemon=True)
    try:
        yield
    finally:
        work.may_end.set()
        halting.start()
        halting.join(LONGEST)
    assert not halting.is_alive(), "The worker waits for something forever."


@pytest.fixture
def gate():
    with Gate("127.0.0.1", 5672) as gate:
        yield gate


@pytest.fixture
def ask(gate, work):
    """Asks the worker for so much of a task, past its gate."""
    with broker("rabbitmq") as app, worker_behind(gate, app.conf.task_default_queue, work):
        yield lambda task, times: [app.send_task(task) for _ in range(times)]


def test_a_worker_that_was_busy_when_it_lost_its_broker_goes_on(ask, work, gate):
    ask(LONG, BUSY)
    assert until(lambda: len(work.begun) == BUSY, LONGEST)
    gate.shut()
    ask(SHORT, MORE)
    gate.open()
    assert until(lambda: len(work.done) == MORE, LONGEST)


def test_a_worker_ends_while_tasks_come_in(ask, work):
    ask(SHORT, 20 * MORE)
    assert until(lambda: work.done, LONGEST)
