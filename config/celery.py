import logging
import os
from logging.config import dictConfig
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_ready
from django.conf import settings

from config.startup_errors import in_a_sentence
from core import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)

app = Celery("turnpost")
app.config_from_object("django.conf:settings", namespace="CELERY")


@app.on_configure.connect
def _read_settings(**_: Any) -> None:
    with in_a_sentence():
        len(settings.INSTALLED_APPS)  # the first that is asked for reads them all


@setup_logging.connect
def _log_as_the_web_does(**_: Any) -> None:
    dictConfig(settings.LOGGING)


@worker_ready.connect
def _tell_that_tasks_are_taken(**_: Any) -> None:
    logger.info("The worker takes tasks")


@beat_init.connect
def _tell_that_the_clock_ticks(**_: Any) -> None:
    logger.info("The clock ticks")


@task_prerun.connect
def _begin(task_id: str, **_: Any) -> None:
    logs.request_id.set(task_id)


@task_postrun.connect
def _end(**_: Any) -> None:
    logs.end()
