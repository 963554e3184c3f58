"""The OpenAPI document: each operation also lists how it can refuse, in the one error shape."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample
from rest_framework.permissions import SAFE_METHODS

Handler = TypeVar("Handler", bound=Callable[..., Any])

REFUSALS = {
    400: ("Invalid", "The request cannot be understood, or a field needs another value."),
    401: ("NotAuthenticated", "A valid token is needed."),
    403: ("Forbidden", "Not allowed to this user."),
    404: ("NotFound", "There is no such thing, or none that you may see."),
    406: ("NotAcceptable", "Only JSON can be answered."),
    409: ("Conflict", "Not possible as things stand now; nothing was changed."),
    411: ("LengthRequired", "The request must say how long it is."),
    413: ("TooLarge", "The request is too large."),
    415: ("UnsupportedMediaType", "Only JSON can be read."),
    422: ("KeyReused", "This Idempotency-Key belongs to another request."),
    429: ("TooManyRequests", "Too many requests in a short time; Retry-After says when to go on."),
    503: ("Unavailable", "The service cannot reach its database; try again soon."),
}
ERROR = {
    "type": "object",
    "required": ["code", "message", "hint", "data"],
    "additionalProperties": False,
    "properties": {
        "code": {"type": "string", "description": "For programs; it does not change."},
        "message": {"type": "string", "description": "A sentence for people."},
        "hint": {"type": "string", "description": "What to do instead; may be empty."},
        "data": {"type": "object", "additionalProperties": {}, "description": "Details, by code."},
    },
    "example": {
        "code": "invalid",
        "message": "time_zone: Mars/Olympus is not a time zone. Use a name like Europe/Berlin or UTC.",
        "hint": "data.fields says what is wrong with which field.",
        "data": {"fields": {"time_zone": ["Mars/Olympus is not a time zone."]}},
    },
}


def refuses(*statuses: int) -> Callable[[Handler], Handler]:
    """Marks a handler with refusals of its own, beside those that every handler has."""

    def mark(handler: Handler) -> Handler:
        handler.refuses = statuses  # type: ignore[attr-defined]
        return handler

    return mark


class Schema(AutoSchema):
    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation:
            for status in sorted(self._refusals(operation)):
                operation["responses"][str(status)] = {"$ref": f"#/components/responses/{REFUSALS[status][0]}"}
        return operation

    def _refusals(self, operation: dict[str, Any]) -> set[int]:
        handler = getattr(self.view, getattr(self.view, "action", None) or self.method.lower())
        statuses = {400, 406, 429, 503, *getattr(handler, "refuses", ())}
        if self.view.get_authenticators():
            statuses.add(401)
        if "{" in self.path:
            statuses.add(404)
        if self.method not in SAFE_METHODS:
            statuses.add(409)
        if "requestBody" in operation:
            statuses |= {411, 413, 415}
        return statuses


def add_refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Puts the shared answers into the finished document, where the operations point to them."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    components["responses"] = {
        name: {"description": sentence, "content": content} for name, sentence in REFUSALS.values()
    }
    return result


def sent(name: str, value: Any) -> OpenApiExample:
    return OpenApiExample(name, value, request_only=True)


def answered(name: str, value: Any, status: int = 200) -> OpenApiExample:
    return OpenApiExample(name, value, response_only=True, status_codes=[str(status)])
