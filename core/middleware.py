"""What holds for every request before any view sees it."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.client_address import address_of
from core.error_pages import is_api
from core.problems import Problem, too_many
from core.throttles import seconds_to_wait

# PostgreSQL has no NUL in text, so one in an address can only be an accident or an attack.
NUL = re.compile(r"\x00|%00")
UNLIMITED = ("/healthz", "/readyz", "/metrics")
"""For whatever watches the service, all the time."""


class ContentSecurityPolicy:
    """Nothing is loaded from elsewhere, nothing inline runs, and no page can be framed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response


class Limits:
    """How often an address may ask, how much it may send, and what an address line may hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        problem = self.problem_with(request)
        return problem.as_json() if problem else self.get_response(request)

    def problem_with(self, request: HttpRequest) -> Problem | None:
        if request.path_info in UNLIMITED:
            return None
        if seconds := seconds_to_wait("address", address_of(request)):
            return too_many(seconds)
        if NUL.search(request.path_info) or NUL.search(request.META.get("QUERY_STRING", "")):
            return Problem(400, "bad_request", "An address cannot hold the NUL character.", "Leave it out.")
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            said = "The request does not say how long it is."
            return Problem(411, "length_required", said, "Send it at once, with the header Content-Length.")
        limit = _body_limit(request)
        if _content_length(request) > limit:
            said = f"The request is larger than {limit // 1024} KiB."
            return Problem(413, "too_large", said, "Send less at once.", {"limit": limit})
        return None


def _body_limit(request: HttpRequest) -> int:
    if request.path_info.startswith(settings.PROVIDERS_PATH):
        return int(settings.CALL_LIMIT)
    return int(settings.BODY_LIMIT if is_api(request) else settings.PAGE_LIMIT)


def _content_length(request: HttpRequest) -> int:
    """Django reads no further than this header says, so a body cannot be longer than it claims. One in chunks has none,
    unless the web server has gathered them, and would be lost without a word."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdigit() else 0
