"""Settings for several web processes: gunicorn -c deploy/gunicorn.conf.py

WEB_CONCURRENCY sets their number. Each handles a few requests at once, because a move mostly waits for the database's
disk.
"""

import os

from config.startup_errors import readable_errors

with readable_errors():
    from config.settings import LOGGING

wsgi_app = "config.wsgi:application"
# Local by default, because X-Forwarded-For is trusted and nobody may bypass the proxy.
bind = os.environ.get("TURNPOST_BIND", "127.0.0.1:8000").split(",")
workers = int(os.environ.get("WEB_CONCURRENCY", "") or os.cpu_count() or 1)
worker_class = "core.gunicorn_worker.Worker"
threads = 4
# Longer than a proxy waits, so that the proxy closes idle connections first.
keepalive = 75
# After SIGTERM, no new connections are accepted, and open requests have this many seconds to finish.
graceful_timeout = 30
timeout = 60
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108
control_socket_disable = True
logconfig_dict = LOGGING | {
    "loggers": LOGGING["loggers"] | {"gunicorn.error": {"level": "INFO", "handlers": ["console"], "propagate": False}}
}
