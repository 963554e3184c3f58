"""Settings for running several web processes: gunicorn -c deploy/gunicorn.conf.py

WEB_CONCURRENCY sets the number of processes. Each process handles a few requests at once, because a move spends most of
its time waiting for the database's disk.
"""

import os

from config.startup_errors import readable_errors

with readable_errors():
    from config.settings import LOGGING

wsgi_app = "config.wsgi:application"
# Local by default. X-Forwarded-For is trusted, so clients must not be able to bypass the proxy.
bind = os.environ.get("TURNPOST_BIND", "127.0.0.1:8000").split(",")
workers = int(os.environ.get("WEB_CONCURRENCY", "") or os.cpu_count() or 1)
worker_class = "core.gunicorn_worker.Worker"
logger_class = "core.gunicorn_worker.Logger"
threads = 4
# Longer than the proxy's own timeout, so that the proxy closes idle connections first.
keepalive = 75
# After SIGTERM, no new connections are accepted, and open requests have this many seconds to finish.
graceful_timeout = 30
timeout = 60
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108
control_socket_disable = True
logconfig_dict = LOGGING | {
    "loggers": LOGGING["loggers"] | {"gunicorn.error": {"level": "INFO", "handlers": ["console"], "propagate": False}}
}


def child_exit(_, worker):  # type: ignore[no-untyped-def]
    worker.leave()
