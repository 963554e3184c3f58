from celery import shared_task

from accounts import housekeeping


@shared_task(name="accounts.forget_expired")
def forget_expired() -> None:
    housekeeping.forget_expired()
