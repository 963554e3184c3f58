"""Waiting for what the service does in its own time."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 60
LOOK_EVERY = 0.03
Found = TypeVar("Found")


class NotInTime(Exception):
    """What was waited for has not come."""


def wait_for(what: str, look: Callable[[], Found | None]) -> Found:
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > end:
            raise NotInTime(f"After {PATIENCE} seconds there was still no {what}.")
        time.sleep(LOOK_EVERY)
    return found
