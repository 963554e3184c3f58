"""The `/metrics` page, which only operators can see. Workers start a small web server for this page."""

import threading
from collections.abc import Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from core.metrics import Backlog
from core.rate_limits import came_through_a_proxy

_backlog = CollectorRegistry()
_backlog.register(Backlog())


class SharedMetrics(MultiProcessCollector):
    def collect(self) -> Iterable[Metric]:
        """Merge the files of all processes. The file of a process that is just starting is empty."""
        begun = [str(file) for file in Path(self._path).glob("*.db") if file.stat().st_size]
        return self.merge(begun)  # type: ignore[no-any-return, no-untyped-call]


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not (has_token(request.headers.get("Authorization", "")) or is_local(request)):
        raise Http404
    return HttpResponse(counted() + generate_latest(_backlog), content_type=CONTENT_TYPE_LATEST)


def counted() -> bytes:
    """Return the metrics of this process, or of all processes that share its folder."""
    if not settings.METRICS_FOLDER:
        return generate_latest(REGISTRY)
    shared = CollectorRegistry()
    SharedMetrics(shared)  # type: ignore[no-untyped-call]
    return generate_latest(shared)


def has_token(authorization: str) -> bool:
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(authorization, f"Bearer {token}")


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine and needs no token.

    Requests through a proxy never count as local.
    """
    if settings.METRICS_TOKEN or settings.TRUSTED_PROXIES or came_through_a_proxy(request):
        return False
    return request.META.get("REMOTE_ADDR") in settings.LOOPBACK


class WorkerRequest(BaseHTTPRequestHandler):
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
        pass


class WorkerPage:
    """Serves the metrics from the worker's main process.

    Tasks usually run in its threads. With `--pool=prefork`, they run in child processes that write their counts to a
    shared folder.
    """

    server: ThreadingHTTPServer | None = None

    def open(self, **_: Any) -> None:
        if settings.WORKER_METRICS:
            self.server = ThreadingHTTPServer(settings.WORKER_METRICS, WorkerRequest)
            threading.Thread(target=self.server.serve_forever, name="metrics", daemon=True).start()

    def close(self, **_: Any) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()


_worker_page = WorkerPage()
worker_ready.connect(_worker_page.open)
worker_shutdown.connect(_worker_page.close)
