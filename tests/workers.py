"""Real Celery workers for tests: one in a thread beside the test, or processes as an operator would start them."""

from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery

from config.background import Worker

LONGEST_START = 60


@contextmanager
def worker_thread(app: Celery) -> Iterator[Worker]:
    """A worker in this process, listening when the block begins and gone when it ends."""
    worker = Worker(app, concurrency=1)
    worker.launch()
    try:
        assert worker.ready.wait(LONGEST_START), "The worker did not start."
        yield worker
    finally:
        worker.halt()
