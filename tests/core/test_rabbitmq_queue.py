"""A worker talks to RabbitMQ from only one thread. Two threads would read each other's responses and wait forever."""

import threading

import pytest
from celery import Celery

from core.jobs.celery_runtime import EmbeddedWorker
from tests.acceptance.storm.proxy import Proxy
from tests.brokers import broker
from tests.requirements import BROKERS
from tests.waiting import until

LONG, SHORT = "clock.sweep", "core.tidy_up"
BUSY, MORE, LONGEST = 6, 100, 30


class Work:
    """The tasks in these tests: one that runs until it is released, and one that finishes immediately."""

    def __init__(self):
        self.begun, self.done, self.may_end = [], [], threading.Event()

    def go_on(self):
        self.begun.append(LONG)
        self.may_end.wait()

    def hurry(self, _):
        self.done.append(SHORT)


@pytest.fixture
def work(monkeypatch):
    work = Work()
    monkeypatch.setattr("clock.sweep.sweep", work.go_on)
    monkeypatch.setattr("core.housekeeping._chores", [work.hurry])
    yield work
    work.may_end.set()


@pytest.fixture
def proxy():
    with Proxy("127.0.0.1", 5672) as proxy:
        yield proxy


@pytest.fixture
def queue():
    with broker("rabbitmq") as app:
        yield app


@pytest.fixture
def worker(proxy, queue, work):
    """Start a worker with our settings behind the proxy."""
    app = Celery(broker=BROKERS["rabbitmq"].replace("5672", str(proxy.port)), set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.task_default_queue = queue.conf.task_default_queue
    # Tasks that have not been acknowledged when the connection is lost are delivered again.
    worker = EmbeddedWorker(app, concurrency=2 * BUSY + 2)
    worker.launch()
    yield worker
    work.may_end.set()
    must_end(worker)
    app.close()


def must_end(worker):
    halting = threading.Thread(target=worker.halt, daemon=True)
    halting.start()
    halting.join(LONGEST)
    assert not halting.is_alive(), "The worker never stops."


def ask(queue, task, times):
    for _ in range(times):
        queue.send_task(task)


def test_a_worker_that_was_busy_when_it_lost_its_broker_continues(worker, work, proxy, queue):
    """This matters only with RabbitMQ before version 4.

    With later versions, Celery already behaves as our settings require.
    """
    ask(queue, LONG, BUSY)
    assert until(lambda: len(work.begun) == BUSY, LONGEST)
    proxy.shut()
    ask(queue, SHORT, MORE)
    proxy.open()
    assert until(lambda: len(work.done) == MORE, LONGEST)


@pytest.mark.slow
def test_a_worker_can_stop_while_tasks_keep_arriving(worker, work, queue):
    asking = threading.Thread(target=ask, args=(queue, SHORT, 30 * MORE))
    asking.start()
    assert until(lambda: len(work.done) > MORE, LONGEST)
    must_end(worker)
    assert asking.is_alive(), "All tasks had already arrived."
    asking.join()


def test_a_worker_stops_even_if_its_broker_is_unresponsive(worker, work, proxy, queue):
    ask(queue, SHORT, 1)
    assert until(lambda: work.done, LONGEST)
    proxy.freeze()
    must_end(worker)
    proxy.thaw()
