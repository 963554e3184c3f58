"""Turn exceptions into API errors, which all have the same shape: code, message, hint and data."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import singledispatch
from math import ceil
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as ModelInvalid
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
)
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from core import health
from core.metrics import REFUSALS
from core.refusals import Refused
from core.shapes import Error
from core.times import rounded

logger = logging.getLogger(__name__)

STATUS = {
    "invalid": 400,
    "not_authenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "gone": 410,
    "key_reused": 422,
    "too_many": 429,
}
"""The HTTP status for each kind of refusal."""
HINTS = {
    "not_authenticated": "Log in with POST /api/v1/tokens and send the header: Authorization: Bearer TOKEN.",
    "authentication_failed": "Log in again with POST /api/v1/tokens.",
    "permission_denied": "Check that you are logged in as the right user: GET /api/v1/me.",
    "method_not_allowed": "The Allow header lists the methods of this URL.",
    "not_acceptable": "Responses are JSON. Send Accept: application/json, or no Accept header.",
    "unsupported_media_type": "Send JSON with the header: Content-Type: application/json.",
    "parse_error": "Send JSON in UTF-8.",
}
RETRY_AFTER_FAILURE = 5


@dataclass(frozen=True)
class Problem:
    status: int
    code: str
    message: str
    hint: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        error = Error(code=self.code, message=self.message, hint=self.hint, data=dict(self.data))
        return msgspec.structs.asdict(error)

    def as_json(self) -> JsonResponse:
        """Build a response for middleware and Django's error handlers, which run outside the REST framework."""
        REFUSALS.labels(self.code).inc()
        return JsonResponse(self.body, status=self.status, headers=dict(self.headers))


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn an exception from a view into a response.

    Return None for an unexpected exception, so that Django logs it and responds with 500.
    """
    problem = problem_of(error)
    if problem is None:
        return None
    REFUSALS.labels(problem.code).inc()
    return Response(problem.body, status=problem.status, headers=dict(problem.headers))


def too_many(seconds: float) -> Problem:
    wait = max(1, ceil(seconds))
    return Problem(
        429,
        "too_many_requests",
        "Too many requests.",
        f"Try again in {rounded(timedelta(seconds=wait))}.",
        {"retry_after": wait},
        {"Retry-After": str(wait)},
    )


@singledispatch
def problem_of(error: Exception) -> Problem | None:
    return None


@problem_of.register
def _(error: Refused) -> Problem:
    headers = {"Retry-After": str(error.data["retry_after"])} if "retry_after" in error.data else {}
    status = status_of(error)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Problem(status, error.code, error.message, error.hint, error.data, headers)


def status_of(refused: Refused) -> int:
    return STATUS[refused.kind]


@problem_of.register
def _(error: exceptions.APIException) -> Problem:
    code = str(error.get_codes())
    header = getattr(error, "auth_header", None)
    return Problem(
        error.status_code,
        code,
        str(error.detail),
        HINTS.get(code, ""),
        headers={"WWW-Authenticate": header} if header else {},
    )


@problem_of.register
def _(error: exceptions.Throttled) -> Problem:
    return too_many(getattr(error, "wait", None) or 0)


@problem_of.register
def _(error: exceptions.ValidationError) -> Problem:
    return invalid(dict(_flattened(error.detail)))


@problem_of.register
def _(error: ModelInvalid) -> Problem:
    if hasattr(error, "error_dict"):
        return invalid({name: error.message_dict[name] for name in error.error_dict})
    return invalid({"": error.messages})


@problem_of.register
def _(error: Http404) -> Problem:
    return Problem(
        404,
        "not_found",
        "There is nothing at this URL, or you can't see it.",
        "Check the URL. The API docs are at /api/v1/docs.",
    )


@problem_of.register
def _(error: exceptions.NotFound) -> Problem:
    return problem_of(Http404())  # type: ignore[return-value]


@problem_of.register
def _(error: PermissionDenied) -> Problem:
    return Problem(403, "permission_denied", "You are not allowed to do this.", HINTS["permission_denied"])


@problem_of.register
def _(error: RequestDataTooBig) -> Problem:
    return Problem(413, "too_large", "The request is too large.", "Send a smaller request.")


@problem_of.register(OperationalError)
@problem_of.register(InterfaceError)
def _(error: Exception) -> Problem:
    if str(error).startswith("no such ") and is_behind():  # SQLite's message for a missing table or column.
        return being_updated(error)
    logger.error("The database is unavailable.", exc_info=error)
    return temporary("unavailable", "The service is temporarily unavailable.")


@problem_of.register
def _(error: ProgrammingError) -> Problem | None:
    """Respond to a missing table or column. If all migrations have been run, this is a bug."""
    return being_updated(error) if is_behind() else None


def is_behind() -> bool:
    """Return whether this version has migrations that have not been run on the database."""
    try:
        return health.missing_migrations() > 0
    except DatabaseError:
        return False


def being_updated(error: Exception) -> Problem:
    logger.error("The code and the database have different versions: %s", error)
    return temporary("being_updated", "The service is being updated.")


def temporary(code: str, message: str) -> Problem:
    return Problem(
        503,
        code,
        message,
        f"Try again in {RETRY_AFTER_FAILURE} seconds. Everything confirmed so far is safe.",
        {"retry_after": RETRY_AFTER_FAILURE},
        {"Retry-After": str(RETRY_AFTER_FAILURE)},
    )


@problem_of.register
def _(error: DataError) -> Problem:
    """Respond to a value that validation should have rejected. The log shows which value."""
    logger.error("The database rejected a value that should have been refused earlier.", exc_info=error)
    return Problem(
        400, "bad_value", "The request contains a value that can't be stored.", "Use a shorter or simpler value."
    )


@problem_of.register
def _(error: IntegrityError) -> Problem:
    """Respond when two requests conflict and only one of them can succeed. The log shows the violated constraint."""
    logger.error("Two requests conflicted in the database.", exc_info=error)
    return Problem(
        409,
        "conflict",
        "This conflicts with another change made at the same time. Nothing was changed.",
        "Reload and try again.",
    )


def invalid(fields: Mapping[str, list[str]]) -> Problem:
    """Group errors by field.

    Errors about the whole request (``__all__``, ``non_field_errors``) get an empty field name.
    """
    named: dict[str, list[str]] = {}
    for name, messages in fields.items():
        key = "" if name in ("__all__", "non_field_errors") else name
        named.setdefault(key, []).extend(messages)
    return Problem(400, "invalid", summary(named), "data.fields lists the errors by field.", {"fields": named})


def summary(fields: Mapping[str, list[str]]) -> str:
    if len(fields) > 1:
        return f"{len(fields)} fields are invalid."
    return " ".join(f"{name}: {message}" if name else message for name in fields for message in fields[name])


def _flattened(detail: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Flatten nested errors, so that {"options": {"games": [...]}} belongs to the field options.games."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == "non_field_errors"
            yield from _flattened(inner, path if whole else f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list) and any(isinstance(inner, Mapping | list) for inner in detail):
        for number, inner in enumerate(detail):
            yield from _flattened(inner, f"{path}.{number}" if path else str(number))
    else:
        yield path, [str(message) for message in (detail if isinstance(detail, list) else [detail])]
