"""Celery's beat, which goes on when the machine's clock is set back: by itself it would wait for as long as that."""

import time
from typing import Any

from celery import beat


class Scheduler(beat.Scheduler):
    """Keeps nothing between two runs: every entry is harmless to repeat and to miss once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._last_tick = time.time()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = time.time()
        if now < self._last_tick:
            self._begin_anew()
        self._last_tick = now
        return float(super().tick(*args, **kwargs))

    def _begin_anew(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        self.populate_heap()
