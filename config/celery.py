import logging
import os
from logging.config import dictConfig
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_after_setup, setup_logging, task_postrun, task_prerun, worker_ready
from django.conf import settings

from config.preparation import prepare_for_threads
from config.startup_errors import readable_errors
from core import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)

app = Celery("turnpost")
app.config_from_object("django.conf:settings", namespace="CELERY")


@app.on_configure.connect
def _read_settings(**_: Any) -> None:
    with readable_errors():
        len(settings.INSTALLED_APPS)  # Accessing any setting loads them all.


@setup_logging.connect
def _configure_logging(**_: Any) -> None:
    dictConfig(settings.LOGGING)


@celeryd_after_setup.connect
def _prepare(**_: Any) -> None:
    prepare_for_threads()


@worker_ready.connect
def _log_worker_ready(**_: Any) -> None:
    logger.info("Worker ready")


@beat_init.connect
def _log_beat_started(**_: Any) -> None:
    logger.info("Beat started")


@task_prerun.connect
def _begin(task_id: str, **_: Any) -> None:
    logs.request_id.set(task_id)


@task_postrun.connect
def _end(**_: Any) -> None:
    logs.clear_ids()
