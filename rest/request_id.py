"""Each request has an id: the caller's X-Request-ID if it is a plain one, else a new one. It is in every log line."""

import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_current: ContextVar[str] = ContextVar("request_id", default="-")


def current_request_id() -> str:
    return _current.get()


class RequestId:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        _current.set(given if PLAIN.fullmatch(given) else uuid.uuid4().hex)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = _current.get()
        return response


@receiver(request_finished, dispatch_uid="rest.request_id")
def _forget(**_: object) -> None:
    """Only now: Django logs what it answered after the last middleware is done."""
    _current.set("-")
