"""Everything that depends on Celery's internals: a worker and a beat that run as threads of this process, and a
schedule that keeps working when the system clock is set back. The rest of the project uses only Celery's documented
API, except core.jobs.redis_transport, which web processes load without this module.

Why this is needed:
- The embedded service is one process, so `EmbeddedWorker` and `EmbeddedBeat` run in threads. `launch` starts them, and
  `halt` returns when the running tasks are done.
- A worker talks to RabbitMQ over one socket. If two threads use it at the same time, they read each other's responses
  and wait forever. So the worker is stopped by its own thread (`_stop_from_its_own_thread`). For the same reason, the
  settings disable prefetch reduction after a lost connection.
- An unresponsive broker must not delay the shutdown: `stop` waits at most a second for each of the broker's last
  responses. Unacknowledged tasks are run again.
- Celery's beat sleeps until its next task. If the machine's clock is set back by an hour, beat sleeps an hour too long,
  so `Scheduler` then restarts its schedule. It stores nothing between runs. Every entry is harmless to repeat or skip,
  so beat can run on several machines.
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

# Communication between workers is useless if there is only one, and it delays startup by a second.
SINGLE_WORKER: dict[str, Any] = {"without_heartbeat": True, "without_mingle": True, "without_gossip": True}
RESPONSE_TIMEOUT = 1.0
"""How many seconds to wait for each of the broker's last responses."""


class EmbeddedWorker(WorkController):
    """A Celery worker in a thread. `ready` is set once it accepts tasks."""

    hostname: str
    hub: Any = None
    consumer: Any = None

    def __init__(self, app: Celery, concurrency: int) -> None:
        self.ready = threading.Event()
        super().__init__(app, pool="threads", concurrency=concurrency, **SINGLE_WORKER)
        self._thread = threading.Thread(target=self.start, name="worker", daemon=True)

    def on_consumer_ready(self, consumer: Any) -> None:
        self.ready.set()

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        """Stop accepting tasks, and return when the running tasks are done. Long tasks stop early."""
        worker_shutting_down.send(sender=self.hostname, sig="SIGTERM", how="Warm", exitcode=EX_OK)
        if self.hub:
            self._stop_from_its_own_thread()
        else:
            self.stop()
            self._thread.join()

    def _stop_from_its_own_thread(self) -> None:
        worker_state.should_stop = EX_OK  # type: ignore[assignment]
        self.hub.call_soon(_wake_up)
        self._thread.join()
        worker_state.should_stop = None

    def stop(self, *args: Any, **options: Any) -> None:
        bound_open_broker_sockets(getattr(self.consumer, "connection", None), RESPONSE_TIMEOUT)
        super().stop(*args, **options)


def _wake_up() -> None:
    """Do nothing. The worker's thread only has to wake up to notice that it should stop."""


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
