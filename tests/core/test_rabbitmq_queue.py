"""A worker talks to RabbitMQ from one thread. Two at once take each other's answers, and wait for them forever."""

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
    """What stands in for two of our tasks: one that goes on until it may end, and one that is done at once."""

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
    """With our settings, and behind the proxy."""
    app = Celery(broker=BROKERS["rabbitmq"].replace("5672", str(proxy.port)), set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.task_default_queue = queue.conf.task_default_queue
    # What is not yet acknowledged when the connection is lost is asked for once more.
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
    assert not halting.is_alive(), "The worker waits for something forever."


def ask(queue, task, times):
    for _ in range(times):
        queue.send_task(task)


def test_a_worker_that_was_busy_when_it_lost_its_broker_goes_on(worker, work, proxy, queue):
    """Before RabbitMQ 4; with later ones Celery does by itself what our settings ask for."""
    ask(queue, LONG, BUSY)
    assert until(lambda: len(work.begun) == BUSY, LONGEST)
    proxy.shut()
    ask(queue, SHORT, MORE)
    proxy.open()
    assert until(lambda: len(work.done) == MORE, LONGEST)


def test_a_worker_ends_while_tasks_come_in(worker, work, queue):
    asking = threading.Thread(target=ask, args=(queue, SHORT, 30 * MORE))
    asking.start()
    assert until(lambda: len(work.done) > MORE, LONGEST)
    must_end(worker)
    assert asking.is_alive(), "All tasks had come in before."
    asking.join()


def test_a_worker_ends_though_its_broker_says_nothing_any_more(worker, work, proxy, queue):
    ask(queue, SHORT, 1)
    assert until(lambda: work.done, LONGEST)
    proxy.freeze()
    must_end(worker)
    proxy.thaw()
