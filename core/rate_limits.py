"""Limit the rate of requests and attempts.

General limits per user and per network address are counted in the cache, which is cheap and never delays a move. With
Redis, all processes share the counts. While the cache is unreachable, nothing is limited, because losing Redis must not
stop a match.

Strict limits, against guessing and flooding, are counted in the database.
"""

import logging
import time
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Case, F, Q, When
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.models import RateCount
from core.rates import Rate
from core.refusals import TooMany
from core.times import rounded

logger = logging.getLogger(__name__)

PROXY_HEADERS = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
CACHE_PAUSE = 5
"""How many seconds to go without the cache after failing to reach it."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""How far the clocks of different processes and machines may differ."""


class CacheOutage:
    """The time on the monotonic clock at which to try the cache again."""

    until = 0.0


def seconds_to_wait(scope: str, who: str) -> float:
    """Count a request.

    Return 0 if it is within the limit, otherwise the number of seconds until the next request is allowed.
    """
    rate: Rate = settings.RATES[scope]
    if time.monotonic() < CacheOutage.until:
        return 0
    now = time.time()
    window = int(now // rate.seconds)
    key = f"rate:{scope}:{who}:{window}"
    try:
        made = counted(key, rate.seconds + 1)
    except ValueError:  # The window ended between the two calls.
        return 0
    except (RedisError, OSError) as error:
        CacheOutage.until = time.monotonic() + CACHE_PAUSE
        logger.warning("Rate limits are off: could not reach the cache (%s).", error)
        return 0
    return 0 if made <= rate.count else (window + 1) * rate.seconds - now


def counted(key: str, seconds: int) -> int:
    """Add one to a count, and return it. Only the first request of a window has to create the count."""
    with suppress(ValueError):
        return cache.incr(key)
    cache.add(key, 0, timeout=seconds)
    return cache.incr(key)


def address_of(request: HttpRequest) -> str:
    """Return the caller's address.

    Each trusted proxy appends the address that it was called from, and entries further left may be forged.
    """
    named = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    by_proxies = named[-settings.TRUSTED_PROXIES :] if settings.TRUSTED_PROXIES else []
    return network(next(filter(None, by_proxies), request.META.get("REMOTE_ADDR", "")))


def came_through_a_proxy(request: HttpRequest) -> bool:
    """Return whether the headers say that a proxy forwarded the request.

    Even if the proxy is local, the caller may be remote.
    """
    return any(header in request.headers for header in PROXY_HEADERS)


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Return the caller's network. The IPv6 addresses of a household share a /64, so they count as one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ip_network(f"{address.split('%')[0]}/64", strict=False))
    return str(parsed)


def limit(scope: str, user_id: int) -> None:
    """Count a user's request, or raise Throttled."""
    if seconds := seconds_to_wait(scope, str(user_id)):
        raise Throttled(seconds)


class UserThrottle(BaseThrottle):
    scope = "user"
    seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.user.is_authenticated:
            self.seconds = seconds_to_wait(self.scope, str(request.user.pk))
        return self.seconds == 0

    def wait(self) -> float:
        return self.seconds


class WriteThrottle(UserThrottle):
    """Limits only requests that change something."""

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or super().allow_request(request, view)


def count_attempt(scope: str, *who: str) -> None:
    """Count an attempt in the database, or raise TooMany.

    Call this outside of transactions, because a rollback would lose the count.
    """
    rate: Rate = settings.RATES[scope]
    now = timezone.now()
    key, until = _key(scope, who), now + timedelta(seconds=rate.seconds)
    RateCount.objects.bulk_create([RateCount(key=key, count=0, until=until)], ignore_conflicts=True)
    # A window that ends too far in the future was started while the clock was ahead.
    is_over = Q(until__lte=now) | Q(until__gt=until + CLOCK_TOLERANCE)
    RateCount.objects.filter(key=key).update(
        count=Case(When(is_over, then=1), default=F("count") + 1),
        until=Case(When(is_over, then=until), default=F("until")),
    )
    counted = RateCount.objects.filter(key=key).first()
    if counted and counted.count > rate.count:
        wait = counted.until - now
        seconds = max(1, ceil(wait.total_seconds()))
        raise TooMany("too_many_attempts", "Too many attempts.", f"Try again in {rounded(wait)}.", retry_after=seconds)


def reset(scope: str, *who: str) -> None:
    """Reset the count after a success, which shows that nobody is guessing."""
    RateCount.objects.filter(key=_key(scope, who)).delete()


def forget_old() -> int:
    return RateCount.objects.filter(until__lt=timezone.now()).delete()[0]


def _key(scope: str, who: tuple[str, ...]) -> str:
    return salted_hmac("core.rate_limits", "\n".join([scope, *who]), algorithm="sha256").hexdigest()
