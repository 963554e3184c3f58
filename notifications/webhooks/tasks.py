"""What Celery runs for webhooks. A round makes all calls that are due, so that a lost one does no harm."""

from celery import shared_task

from core.jobs.wakeup import WEBHOOKS_TASK
from notifications.tasks import is_stopping
from notifications.webhooks import sender


@shared_task(name=WEBHOOKS_TASK)
def deliver() -> None:
    sender.deliver_due(is_stopping)
