"""What Celery runs. Each task does all the work that is due, so that a lost one does no harm."""

from celery import shared_task

from games.mail import bell, sender


@shared_task(name=bell.TASK)
def deliver() -> None:
    """Woken by the bell after a commit, and by the clock for what the bell missed."""
    sender.deliver_due()
