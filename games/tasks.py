from celery import shared_task

from games.services import housekeeping


@shared_task(name="games.tidy_up")
def tidy_up() -> None:
    housekeeping.tidy_up()
