"""Redis as the broker. What somebody else has written into our queue is thrown away: no worker may die of it."""

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


class Transport(redis.Transport):
    Channel = Channel
