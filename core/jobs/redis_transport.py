"""Redis as the broker. No worker may die of what somebody else has written into our queue, which is thrown away, nor of
a connection that is lost while a task is being acknowledged."""

import logging
from queue import Empty
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)

NO_MESSAGE = (AttributeError, LookupError, TypeError, ValueError)


class Channel(redis.Channel):
    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]
        except NO_MESSAGE as error:
            logger.error("Something in the queue is no message of ours, and was thrown away.", exc_info=error)
            raise Empty from error

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection.client is None:
            raise ConnectionError("This connection to the broker has been given up.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


class Transport(redis.Transport):
    Channel = Channel
