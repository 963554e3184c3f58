"""The brokers that tests run real workers with. Each test has a queue of its own, and removes it."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from celery import Celery
from kombu import Connection
from kombu.exceptions import KombuError

BROKERS = {"redis": "redis://127.0.0.1:6379/15", "rabbitmq": "amqp://guest:guest@127.0.0.1:5672//"}


def reachable(url: str) -> bool:
    try:
        with Connection(url, connect_timeout=3) as connection:
            connection.ensure_connection(max_retries=1, timeout=3)
    except (KombuError, OSError):
        return False
    return True


@contextmanager
def broker(name: str) -> Iterator[Celery]:
    """An app that speaks to a queue of its own. Where the broker is missing the test is skipped; in CI it fails."""
    if not reachable(BROKERS[name]):
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop(f"{name} does not answer at {BROKERS[name].rpartition('@')[2]}")
    app = Celery("turnpost", broker=BROKERS[name])
    app.conf.task_default_queue = f"turnpost-test-{uuid.uuid4().hex[:12]}"
    try:
        yield app
    finally:
        with app.connection_for_write() as connection:
            remove(app.conf.task_default_queue, app, connection)
        app.close()


def remove(queue: str, app: Celery, connection: Connection) -> None:
    """With all that is noted about it: in Redis, kombu leaves behind where it was bound."""
    channel = connection.default_channel
    app.amqp.queues[queue](channel).delete()
    if connection.transport.driver_type == "redis":
        for key in list(channel.client.scan_iter(f"*{queue}*")):
            channel.client.delete(key)
