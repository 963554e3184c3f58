"""`/metrics`: for operators, and for nobody else. To others there is no such address."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from core.client_address import came_through_a_proxy
from core.metrics.backlog import Backlog

_backlog = CollectorRegistry()
_backlog.register(Backlog())


class Shared(MultiProcessCollector):
    def collect(self) -> Iterable[Metric]:
        """Of every process; one that is just beginning has made its file and written nothing into it."""
        begun = [str(file) for file in Path(self._path).glob("*.db") if file.stat().st_size]
        return self.merge(begun)  # type: ignore[no-any-return, no-untyped-call]


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not (has_token(request.headers.get("Authorization", "")) or is_nearby(request)):
        raise Http404
    return HttpResponse(counted() + generate_latest(_backlog), content_type=CONTENT_TYPE_LATEST)


def counted() -> bytes:
    """By this process, or by all that share its folder."""
    if not settings.METRICS_FOLDER:
        return generate_latest(REGISTRY)
    shared = CollectorRegistry()
    Shared(shared)  # type: ignore[no-untyped-call]
    return generate_latest(shared)


def has_token(authorization: str) -> bool:
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(authorization, f"Bearer {token}")


def is_nearby(request: HttpRequest) -> bool:
    """Only where there is no token, and not where a proxy makes everybody look as if they were here."""
    if settings.METRICS_TOKEN or settings.TRUSTED_PROXIES or came_through_a_proxy(request):
        return False
    return request.META.get("REMOTE_ADDR") in settings.LOOPBACK
