"""Each request has an id: the caller's X-Request-ID if it is a plain one, else a new one. It is in every log line."""

import re
import uuid
from collections.abc import Callable
from typing import Any

from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from core import log_context

PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestId:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        log_context.begin(given if PLAIN.fullmatch(given) else uuid.uuid4().hex)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = log_context.current_request_id()
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        if match_id := kwargs.get("match_id"):
            log_context.set_match(match_id)


@receiver(request_finished, dispatch_uid="core.request_id")
def _forget(**_: object) -> None:
    """Only now: Django logs what it answered after the last middleware is done."""
    log_context.end()
