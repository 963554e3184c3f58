"""For what another process does in its own time."""

import threading
import time
from collections.abc import Callable

LOOK_EVERY = 0.02


def until(condition: Callable[[], object], seconds: float = 20) -> bool:
    """Whether the condition came true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        threading.Event().wait(LOOK_EVERY)
    return True
