"""Wait for other threads and processes."""

import threading
import time
from collections.abc import Callable

POLL_EVERY = 0.02


def until(condition: Callable[[], object], seconds: float = 20) -> bool:
    """Wait for the condition, and return whether it became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        threading.Event().wait(POLL_EVERY)
    return True
