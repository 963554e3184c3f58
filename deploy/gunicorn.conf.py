"""The web as many processes: gunicorn -c deploy/gunicorn.conf.py

WEB_CONCURRENCY says how many processes; each answers a few requests at once, as most of a move is waiting for the
database's disk.
"""

import os

from config.startup_errors import readable_errors

with readable_errors():
    from config.settings import LOGGING

wsgi_app = "config.wsgi:application"
# Only this machine, unless told otherwise: X-Forwarded-For is believed, so nobody may get past the proxy.
bind = os.environ.get("TURNPOST_BIND", "127.0.0.1:8000").split(",")
workers = int(os.environ.get("WEB_CONCURRENCY", "") or os.cpu_count() or 1)
worker_class = "core.gunicorn_worker.Worker"
threads = 4
# Longer than proxies keep idle connections, so that it is they who close them.
keepalive = 75
# SIGTERM: no new connections, and this many seconds for the requests under way.
graceful_timeout = 30
timeout = 60
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108
control_socket_disable = True
logconfig_dict = LOGGING | {
    "loggers": LOGGING["loggers"] | {"gunicorn.error": {"level": "INFO", "handlers": ["console"], "propagate": False}}
}
