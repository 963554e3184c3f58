"""Delete expired data. Each app registers its own chores, and an hourly task runs them all."""

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from core import rate_limits

Chore = Callable[[datetime], object]
_chores: list[Chore] = []

logger = logging.getLogger(__name__)


def hourly(chore: Chore) -> Chore:
    """Register a function that takes the current time. Repeating or skipping a call must be harmless."""
    _chores.append(chore)
    return chore


@shared_task(name="core.tidy_up")
def tidy_up() -> None:
    """Run all chores, even if one of them fails."""
    for chore in _chores:
        try:
            chore(timezone.now())
        except Exception:
            logger.exception("%s.%s failed", chore.__module__, chore.__name__)


@hourly
def forget_counts_and_sessions(_: datetime) -> None:
    rate_limits.forget_old()
    SessionStore.clear_expired()
