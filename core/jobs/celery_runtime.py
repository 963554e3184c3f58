"""All that knows Celery from the inside: worker and beat as threads of this process, and a beat that survives a clock
that is set back. Nothing else in the project relies on more than Celery's documented interface, but for
core.jobs.redis_transport, which a web process loads without the rest.

Why it is needed:
- The embedded service is one process, so `EmbeddedWorker` and `EmbeddedBeat` run in threads. Both start with `launch`
  and end with `halt`, which returns when the tasks under way are done.
- A worker talks to RabbitMQ over one socket, and two threads that do so at once read each other's answers and wait
  forever. So the worker is ended by its own thread (`_end_from_its_own_thread`); for the same reason the settings turn
  off the reduction of prefetching after a lost connection.
- A broker that has fallen silent is not waited for: `stop` limits each of its last answers to a second. What is lost so
  is done again.
- Celery's beat waits for the time of its next task. If the machine's clock is set back by an hour, that takes an hour
  longer, so `Scheduler` starts its schedule over. It keeps nothing between two runs: every entry may be repeated or
  missed once, and beat may run on several machines.
"""

import threading
import time
from typing import Any

from celery import Celery, beat
from celery.platforms import EX_OK
from celery.signals import worker_shutting_down
from celery.utils.threads import bound_open_broker_sockets  # type: ignore[attr-defined]
from celery.worker import WorkController
from celery.worker import state as worker_state

# What workers tell one another is of no use to a single one, and costs a second at the start.
ALONE: dict[str, Any] = {"without_heartbeat": True, "without_mingle": True, "without_gossip": True}
LONGEST_ANSWER = 1.0
"""Seconds for each of a broker's last answers, of which there are several."""


class EmbeddedWorker(WorkController):
    """`ready` is set once tasks are accepted."""

    hostname: str
    hub: Any = None
    consumer: Any = None

    def __init__(self, app: Celery, concurrency: int) -> None:
        self.ready = threading.Event()
        super().__init__(app, pool="threads", concurrency=concurrency, **ALONE)
        self._thread = threading.Thread(target=self.start, name="worker", daemon=True)

    def on_consumer_ready(self, consumer: Any) -> None:
        self.ready.set()

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        """Accepts no more tasks, and returns when those under way are done; long ones stop early."""
        worker_shutting_down.send(sender=self.hostname, sig="SIGTERM", how="Warm", exitcode=EX_OK)
        if self.hub:
            self._end_from_its_own_thread()
        else:
            self.stop()
            self._thread.join()

    def _end_from_its_own_thread(self) -> None:
        worker_state.should_stop = EX_OK  # type: ignore[assignment]
        self.hub.call_soon(_wake_up)
        self._thread.join()
        worker_state.should_stop = None

    def stop(self, *args: Any, **options: Any) -> None:
        bound_open_broker_sockets(getattr(self.consumer, "connection", None), LONGEST_ANSWER)
        super().stop(*args, **options)


def _wake_up() -> None:
    """The worker's thread only has to wake up to see that it should stop."""


class EmbeddedBeat:
    def __init__(self, app: Celery) -> None:
        self._service = beat.Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
        self._thread = threading.Thread(target=self._service.start, name="beat", daemon=True)

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        self._service.stop()
        self._thread.join()


class Scheduler(beat.Scheduler):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._last_tick = time.time()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = time.time()
        if now < self._last_tick:
            self._start_over()
        self._last_tick = now
        return float(super().tick(*args, **kwargs))

    def _start_over(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        self.populate_heap()
