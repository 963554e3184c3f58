"""A worker that loses Redis closes the connection, as Celery does, and keeps running."""

import socket
from typing import Any

import pytest
from kombu import Connection, Queue

from core.jobs.redis_transport import Transport
from tests.acceptance.storm.proxy import Proxy
from tests.brokers import broker
from tests.requirements import BROKERS


def test_a_connection_can_be_closed_while_a_task_waits_to_be_acknowledged():
    with broker("redis") as real, Proxy("127.0.0.1", 6379) as proxy:
        connection = Connection(BROKERS["redis"].replace("6379", str(proxy.port)), transport=Transport)
        queue = Queue(real.conf.task_default_queue)
        tasks: list[Any] = []
        with connection.Producer() as producer:
            producer.publish("hello", routing_key=queue.name, declare=[queue])
        connection.Consumer(queue, on_message=tasks.append).consume()
        connection.drain_events(timeout=5)
        connection.Consumer(queue, channel=connection.channel()).consume()
        with pytest.raises(socket.timeout):
            connection.drain_events(timeout=0.1)
        proxy.shut()
        connection.collect()
        connection.close()
        with pytest.raises(connection.connection_errors):
            tasks[0].ack()
