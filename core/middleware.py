"""Middleware for every request: request ID, log line, compression, limits and content security policy."""

import logging
import re
import uuid
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.encoding import escape_uri_path

from core import error_pages, logs
from core.metrics import HTTP_METHODS, REQUESTS
from core.problems import Problem, too_many
from core.rate_limits import address_of, seconds_to_wait

logger = logging.getLogger("turnpost.requests")

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# PostgreSQL cannot store NUL characters, so one in a URL is either a mistake or an attack.
NUL = re.compile(r"\x00|%00")
MONITORING = ("/healthz", "/readyz", "/metrics")
"""Paths that monitoring tools poll constantly. They are neither rate-limited nor logged."""
COMPRESSED = {"text/html", "text/css", "text/javascript", "image/svg+xml"}


class RequestLog:
    """Gives each request an ID, or uses the caller's X-Request-ID, and logs one line with the response."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        logs.request_id.set(request_id)
        logs.match_id.set(logs.NONE)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = request_id
        if request.path_info not in MONITORING:
            log_response(request, response.status_code, perf_counter() - began)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        if match_id := kwargs.get("match_id"):
            logs.match_id.set(match_id)


class CompressPages(GZipMiddleware):
    """Compresses pages, styles and scripts for browsers.

    API responses are not compressed, because each ETag identifies an exact sequence of bytes. Django adds random
    padding, which hides the exact size of a page from an attacker who watches the network.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        is_whole = response.status_code != HTTPStatus.PARTIAL_CONTENT
        return super().process_response(request, response) if kind in COMPRESSED and is_whole else response


class ForPages:
    """Skips a middleware for requests to the API, which has no cookies and no pages."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith("/api/"):
            return self.get_response(request)
        return super().__call__(request)  # type: ignore[misc]


class Sessions(ForPages, SessionMiddleware):
    pass


class Authentication(ForPages, AuthenticationMiddleware):
    pass


class Messages(ForPages, MessageMiddleware):
    pass


# The IDs are not cleared earlier, because Django logs the response after the last middleware has run.
request_finished.connect(logs.clear_ids, dispatch_uid="core.middleware")


def log_response(request: HttpRequest, status: int, seconds: float) -> None:
    """Count and log the response.

    The query string is left out, because it may contain private data. Callers can send any method and URL, so metric
    labels come from fixed sets.
    """
    method, ms = request.method or "", round(seconds * 1000, 1)
    route = request.resolver_match.route if request.resolver_match else ""
    REQUESTS.labels(method if method in HTTP_METHODS else "other", route or "none", status).observe(seconds)
    extra = {"method": method, "route": route, "status": status, "ms": ms}
    logger.info("%s %s %s in %s ms", method, escape_uri_path(request.path), status, ms, extra=extra)


class Guard:
    """Limits the request rate per address, the request size and the characters in URLs, and sets security headers.

    Pages load nothing from other sites, run nothing inline and cannot be framed.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        problem = None if request.path_info in MONITORING else problem_with(request)
        response = error_pages.respond(request, problem) if problem else self.get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not error_pages.is_for_programs(request):
            response = error_pages.method_not_allowed(response.headers["Allow"])
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response


def problem_with(request: HttpRequest) -> Problem | None:
    """Check the rate, the URL and the length of a request.

    Django reads only as many bytes as Content-Length says, so checking the header is enough. A chunked body has no such
    header unless the web server buffered it, and Django would silently ignore the body.
    """
    if seconds := seconds_to_wait("address", address_of(request)):
        return too_many(seconds)
    if NUL.search(request.path_info) or NUL.search(request.META.get("QUERY_STRING", "")):
        return Problem(400, "bad_request", "The URL contains a NUL character.", "Remove it.")
    length = request.META.get("CONTENT_LENGTH") or ""
    if "HTTP_TRANSFER_ENCODING" in request.META and not length:
        message = "The Content-Length header is missing."
        return Problem(411, "length_required", message, "Send the body with a Content-Length header, not chunked.")
    limit = settings.BODY_LIMIT if request.path_info.startswith("/api/") else settings.PAGE_LIMIT
    if request.path_info.startswith(settings.PROVIDERS_PATH):
        limit = settings.CALL_LIMIT
    if length.isascii() and length.isdigit() and int(length) > limit:
        message = f"The request is larger than {limit // 1024} KiB."
        return Problem(413, "too_large", message, "Send a smaller request.", {"limit": limit})
    return None
