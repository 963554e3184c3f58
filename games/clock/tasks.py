"""What Celery runs for the clock. A sweep does all that is due, so that a lost one does no harm."""

from celery import shared_task

from games.clock import sweep as clock
from metrics import counts


@shared_task(name="games.clock.sweep")
def sweep() -> None:
    with counts.SWEEPS.time():
        clock.sweep()
