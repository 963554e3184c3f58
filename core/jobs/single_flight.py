"""Work that waits in rows, done in rounds by whoever is woken for it."""

import threading
import time
from collections.abc import Callable

Question = Callable[[], bool]


class Rounds:
    """One round of its kind at a time in a process, and none longer than so many seconds: other tasks soon find a free
    worker, however much there is to do and however slow the other side is."""

    def __init__(self, longest: float) -> None:
        self.longest = longest
        self._under_way = threading.Lock()
        self._wanted = threading.Event()

    def run(self, work: Callable[[Question], None], is_stopping: Question) -> bool:
        """While somebody is at it already, it is left to them: they look once more for whoever came at the very end.
        Returns whether time was up, so that there may be more to do."""
        self._wanted.set()
        stop = time.monotonic() + self.longest

        def is_over() -> bool:
            return is_stopping() or time.monotonic() >= stop

        while self._wanted.is_set() and self._under_way.acquire(blocking=False):
            try:
                self._wanted.clear()
                work(is_over)
            finally:
                self._under_way.release()
            if is_over():
                return not is_stopping()
        return False
