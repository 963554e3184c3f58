"""What Celery runs for the clock. A sweep does all that is due, so that a lost one does no harm."""

from celery import shared_task

from clock import sweep as clock
from core.metrics import counters


@shared_task(name="clock.sweep")
def sweep() -> None:
    with counters.SWEEPS.time():
        clock.sweep()
