"""What Celery runs for webhooks. A round makes all calls that are due, so that a lost one does no harm."""

from celery import shared_task

from games.hooks import caller
from games.mail.bell import WEBHOOKS_TASK
from games.mail.tasks import is_stopping


@shared_task(name=WEBHOOKS_TASK)
def deliver() -> None:
    caller.deliver_due(is_stopping)
