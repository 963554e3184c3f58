"""A Redis transport that survives foreign data in the queue and connections lost during an acknowledgment."""

import logging
from queue import Empty
from typing import Any

from kombu.transport import redis

logger = logging.getLogger(__name__)

UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class Channel(redis.Channel):
    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]
        except UNREADABLE as error:
            logger.error("Dropped an unreadable message from the queue.", exc_info=error)
            raise Empty from error

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection.client is None:
            raise ConnectionError("The connection to the broker is closed.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


class Transport(redis.Transport):
    Channel = Channel
