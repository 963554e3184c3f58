"""Every answer is one line in the log, and one observation for the metrics."""

import logging
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponse
from django.utils.encoding import escape_uri_path

from core.metrics import counters
from core.middleware import UNLIMITED

logger = logging.getLogger("turnpost.requests")


class Watched:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = self.get_response(request)
        if request.path_info not in UNLIMITED:
            note(request, response.status_code, perf_counter() - began)
        return response


def note(request: HttpRequest, status: int, seconds: float) -> None:
    """The query is left out: it may hold what only the caller should know."""
    method, ms = request.method or "", round(seconds * 1000, 1)
    route = request.resolver_match.route if request.resolver_match else ""
    counters.one_request(method, route, status, seconds)
    told = {"method": method, "route": route, "status": status, "ms": ms}
    logger.info("%s %s %s in %s ms", method, escape_uri_path(request.path), status, ms, extra=told)
