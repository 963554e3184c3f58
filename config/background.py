"""Celery's worker and beat as threads of this process, for the service in one process."""

import threading
from typing import Any

from celery import Celery
from celery.beat import Service
from celery.signals import worker_shutting_down
from celery.worker import WorkController

# What workers tell one another is of no use to a single one, and costs a second at the start.
ALONE: dict[str, Any] = {"without_heartbeat": True, "without_mingle": True, "without_gossip": True}


class Worker(WorkController):
    """`ready` is set once tasks are taken."""

    hostname: str

    def __init__(self, app: Celery, concurrency: int) -> None:
        self.ready = threading.Event()
        super().__init__(app, pool="threads", concurrency=concurrency, **ALONE)
        self._thread = threading.Thread(target=self.start, name="worker", daemon=True)

    def on_consumer_ready(self, consumer: Any) -> None:
        self.ready.set()

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        """Takes no more tasks, and returns when those under way are done; long ones stop early when they hear of it."""
        worker_shutting_down.send(sender=self.hostname, sig="SIGTERM", how="Warm", exitcode=0)
        self.stop()
        self._thread.join()


class Beat:
    def __init__(self, app: Celery) -> None:
        self._service = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
        self._thread = threading.Thread(target=self._service.start, name="beat", daemon=True)

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        self._service.stop()
        self._thread.join()
