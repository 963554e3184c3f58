"""A page of its own for the figures of a worker, which has no web server otherwise."""

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST

from core.metrics.page import counted, has_token


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        allowed = not settings.METRICS_TOKEN or has_token(self.headers.get("Authorization", ""))
        if self.path != "/metrics" or not allowed:
            return self.send_error(HTTPStatus.NOT_FOUND)
        body = counted()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Asked every few seconds, and not worth a line."""


class WorkerPage:
    """In the main process of a worker. Its tasks are threads and count there too; with `--pool=prefork` they are
    processes, and count into the folder that all of them share."""

    server: ThreadingHTTPServer | None = None

    def open(self, **_: Any) -> None:
        if settings.WORKER_METRICS:
            self.server = ThreadingHTTPServer(settings.WORKER_METRICS, Page)
            threading.Thread(target=self.server.serve_forever, name="metrics", daemon=True).start()

    def close(self, **_: Any) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()


_page = WorkerPage()
worker_ready.connect(_page.open)
worker_shutdown.connect(_page.close)
