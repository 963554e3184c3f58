"""Queues on real brokers, for tests with real workers. Each test has its own queue and removes it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import Celery
from kombu import Connection

from tests.requirements import BROKERS, require


@contextmanager
def broker(name: str) -> Iterator[Celery]:
    require(name)
    app = Celery("turnpost", broker=BROKERS[name])
    app.conf.task_default_queue = f"turnpost-test-{uuid.uuid4().hex[:12]}"
    try:
        yield app
    finally:
        with app.connection_for_write() as connection:
            remove(app.conf.task_default_queue, app, connection)
        app.close()


def remove(queue: str, app: Celery, connection: Connection) -> None:
    """Delete the queue. In Redis, also delete its bindings, which kombu leaves behind."""
    channel: Any = connection.default_channel
    app.amqp.queues[queue](channel).delete()
    if connection.transport.driver_type == "redis":
        for key in list(channel.client.scan_iter(f"*{queue}*")):
            channel.client.delete(key)
