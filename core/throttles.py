"""General limits per user and per address, counted in the cache: cheap, and never in the way of a move.

Where the cache is Redis all processes count together. Where it cannot be reached nothing is limited: a lost
broker must not stop a match. What guards passwords is counted in the database instead (core.tally).
"""

import logging
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.rates import Rate

logger = logging.getLogger(__name__)

PAUSE = 5


class Outage:
    """While the cache is away it is asked only now and then, so that nobody waits for it at every request. By a clock
    that nobody sets."""

    until = 0.0


def seconds_to_wait(scope: str, who: str) -> float:
    """Counts one more request; 0 if it is within the rate, else when the next one will be."""
    rate: Rate = settings.RATES[scope]
    now = time.time()
    if time.monotonic() < Outage.until:
        return 0
    window = int(now // rate.seconds)
    try:
        made = _count(f"rate:{scope}:{who}:{window}", rate.seconds)
    except (RedisError, OSError) as error:
        Outage.until = time.monotonic() + PAUSE
        logger.warning("Requests are not limited, the cache cannot be reached: %s", error)
        return 0
    return 0 if made <= rate.count else (window + 1) * rate.seconds - now


def _count(key: str, seconds: int) -> int:
    cache.add(key, 0, timeout=seconds + 1)
    try:
        return cache.incr(key)
    except ValueError:  # the window closed between the two calls
        return 1


class UserThrottle(BaseThrottle):
    scope = "user"

    def __init__(self) -> None:
        self.seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.user.is_authenticated:
            self.seconds = seconds_to_wait(self.scope, str(request.user.pk))
        return self.seconds == 0

    def wait(self) -> float:
        return self.seconds
