"""Real Celery workers for tests: a thread in the test's process, or a process as an operator would start it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from celery import Celery
from django.conf import settings
from django.db import connection

from core.jobs.celery_runtime import EmbeddedWorker
from demo.ports import free_port
from tests.deploy.services import running

ROOT = Path(__file__).resolve().parent.parent
LONGEST_START = 60
ALONE = ["--without-mingle", "--without-gossip", "--without-heartbeat"]


@contextmanager
def worker_thread(app: Celery) -> Iterator[EmbeddedWorker]:
    """Run a worker in this process. It is ready when the block begins, and stopped when the block ends."""
    worker = EmbeddedWorker(app, concurrency=1)
    worker.launch()
    try:
        assert worker.ready.wait(LONGEST_START), "The worker did not start."
        yield worker
    finally:
        worker.halt()


@contextmanager
def worker_process(
    app: Celery, mail_port: int, data: Path, *, pool: str = "solo", **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `celery -A config worker` with the test's database, mail server and queue."""
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", pool, "--concurrency", "1", *ALONE]
    worker = subprocess.Popen(command, cwd=ROOT, env=environment(app, mail_port, data) | variables)
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


@contextmanager
def service_process(mail_port: int, data: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run `manage.py serve` with the in-memory broker, and with the test's database and mail server.

    Yield the process and its port.
    """
    port = free_port()
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    embedded = environment(Celery(broker="memory://localhost"), mail_port, data) | variables
    with running(command, port, data / "log", **embedded) as service:
        yield service, port


def environment(app: Celery, mail_port: int, data: Path) -> dict[str, str]:
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url(connection.settings_dict),
        "BROKER_URL": app.conf.broker_url,
        "EMAIL_URL": f"smtp://127.0.0.1:{mail_port}",
        "TURNPOST_QUEUE": app.conf.task_default_queue,
        "TURNPOST_DATA": str(data),
        "TURNPOST_SECRET_KEY": settings.SECRET_KEY,
        "TURNPOST_VAULT_KEYS": ",".join(settings.VAULT_KEYS),
        "TURNPOST_SIGNING_KEYS": ",".join(settings.SIGNING_KEYS),
    }


def peak_memory(pid: int) -> int:
    """Return the peak memory of a process as the kernel counts it, in MiB."""
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) // 1024


def database_url(database: dict[str, Any]) -> str:
    if database["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{database['NAME']}"
    user, host, port = database["USER"], database["HOST"], database["PORT"]
    return f"postgresql://{user}:{database['PASSWORD']}@{host}:{port}/{database['NAME']}"
