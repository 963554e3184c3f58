"""Celery's worker and beat as threads of this process, for the service in one process."""

import threading
from typing import Any

from celery import Celery
from celery.beat import Service
from celery.platforms import EX_OK
from celery.signals import worker_shutting_down
from celery.utils.threads import bound_open_broker_sockets  # type: ignore[attr-defined]
from celery.worker import WorkController
from celery.worker import state as wishes

# What workers tell one another is of no use to a single one, and costs a second at the start.
ALONE: dict[str, Any] = {"without_heartbeat": True, "without_mingle": True, "without_gossip": True}
LONGEST_GOODBYE = 1.0
"""Seconds for each of a broker's last words, of which there are several. Whatever is lost so is done once more."""


class Worker(WorkController):
    """`ready` is set once tasks are taken."""

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
        """Takes no more tasks, and returns when those under way are done; long ones stop early when they hear of it."""
        worker_shutting_down.send(sender=self.hostname, sig="SIGTERM", how="Warm", exitcode=EX_OK)
        if self.hub:
            self._wish_for_an_end()
        else:
            self.stop()
            self._thread.join()

    def _wish_for_an_end(self) -> None:
        """Its own thread does it: two that talk to RabbitMQ at once take each other's answers."""
        wishes.should_stop = EX_OK  # type: ignore[assignment]
        self.hub.call_soon(_wake_up)
        self._thread.join()
        wishes.should_stop = None

    def stop(self, *args: Any, **options: Any) -> None:
        """A broker that says nothing any more is not waited for."""
        bound_open_broker_sockets(getattr(self.consumer, "connection", None), LONGEST_GOODBYE)
        super().stop(*args, **options)


def _wake_up() -> None:
    """Nothing is left to do for one who is awake."""


class Beat:
    def __init__(self, app: Celery) -> None:
        self._service = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
        self._thread = threading.Thread(target=self._service.start, name="beat", daemon=True)

    def launch(self) -> None:
        self._thread.start()

    def halt(self) -> None:
        self._service.stop()
        self._thread.join()
