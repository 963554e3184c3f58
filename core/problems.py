"""Every error the API answers has one shape: code, message, hint, data."""

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
    "key_reused": 422,
    "too_many": 429,
}
"""The HTTP status of each kind of refusal."""
HINTS = {
    "not_authenticated": "Log in with POST /api/v1/tokens and send the header: Authorization: Bearer TOKEN.",
    "authentication_failed": "Log in again with POST /api/v1/tokens.",
    "permission_denied": "Is the right user logged in? GET /api/v1/me tells who you are.",
    "method_not_allowed": "The Allow header lists what this address answers to.",
    "not_acceptable": "Answers are JSON: send Accept: application/json, or no Accept header.",
    "unsupported_media_type": "Send JSON with the header: Content-Type: application/json.",
    "parse_error": "The body must be JSON, in UTF-8.",
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
        """For middleware and Django's own handlers, which answer before or after the REST framework."""
        REFUSALS.labels(self.code).inc()
        return JsonResponse(self.body, status=self.status, headers=dict(self.headers))


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """What is answered when a view raises. None is for surprises: Django logs them and answers 500."""
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
        "Too many requests in a short time.",
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
    return invalid(dict(_sentences(error.detail)))


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
        "There is nothing here, or nothing that you may see.",
        "Is the address spelt right? GET /api/v1/openapi.json lists them all.",
    )


@problem_of.register
def _(error: exceptions.NotFound) -> Problem:
    return problem_of(Http404())  # type: ignore[return-value]


@problem_of.register
def _(error: PermissionDenied) -> Problem:
    return Problem(403, "permission_denied", "You may not do that.", HINTS["permission_denied"])


@problem_of.register
def _(error: RequestDataTooBig) -> Problem:
    return Problem(413, "too_large", "The request is too large.", "Send less at once.")


@problem_of.register(OperationalError)
@problem_of.register(InterfaceError)
def _(error: Exception) -> Problem:
    if str(error).startswith("no such ") and is_behind():  # what SQLite says of a missing table or column
        return being_updated(error)
    logger.error("The database does not answer.", exc_info=error)
    return for_a_while("unavailable", "The service cannot reach its database at the moment.")


@problem_of.register
def _(error: ProgrammingError) -> Problem | None:
    """Where nothing is missing it is our own mistake."""
    return being_updated(error) if is_behind() else None


def is_behind() -> bool:
    """Whether the database lacks what this version needs."""
    try:
        return health.missing_migrations() > 0
    except DatabaseError:
        return False


def being_updated(error: Exception) -> Problem:
    logger.error("Code and database are not of one version: %s", error)
    return for_a_while("being_updated", "The service is being updated at the moment.")


def for_a_while(code: str, message: str) -> Problem:
    return Problem(
        503,
        code,
        message,
        f"Try again in {RETRY_AFTER_FAILURE} seconds. What was acknowledged before is safe.",
        {"retry_after": RETRY_AFTER_FAILURE},
        {"Retry-After": str(RETRY_AFTER_FAILURE)},
    )


@problem_of.register
def _(error: DataError) -> Problem:
    """Whatever checks a value before should have said so in better words; the log tells where it did not."""
    logger.error("A value got as far as the database, which cannot store it.", exc_info=error)
    return Problem(
        400, "bad_value", "The request holds a value that cannot be stored.", "Send a smaller or plainer one."
    )


@problem_of.register
def _(error: IntegrityError) -> Problem:
    """Two did what only one can do, and neither saw the other; the log tells where it was not foreseen."""
    logger.error("Two requests collided in the database.", exc_info=error)
    return Problem(
        409,
        "conflict",
        "Something else was changed at the same moment; nothing was done.",
        "Look at how things stand now, and try again.",
    )


def invalid(fields: Mapping[str, list[str]]) -> Problem:
    """The whole request is `` as a field; ``__all__`` and ``non_field_errors`` are the frameworks' names for it."""
    named: dict[str, list[str]] = {}
    for name, sentences in fields.items():
        key = "" if name in ("__all__", "non_field_errors") else name
        named.setdefault(key, []).extend(sentences)
    listed = [f"{name}: {said}" if name else said for name, sentences in named.items() for said in sentences]
    message = listed[0] if len(listed) == 1 else f"{len(listed)} things need to be different."
    return Problem(400, "invalid", message, "data.fields says what is wrong with which field.", {"fields": named})


def _sentences(detail: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Nested complaints as flat ones: {"options": {"deals": [...]}} is about the field options.deals."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == "non_field_errors"
            yield from _sentences(inner, path if whole else f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list) and any(isinstance(inner, Mapping | list) for inner in detail):
        for number, inner in enumerate(detail):
            yield from _sentences(inner, f"{path}.{number}" if path else str(number))
    else:
        yield path, [str(said) for said in (detail if isinstance(detail, list) else [detail])]
