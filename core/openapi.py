"""Build the OpenAPI document.

Responses come from structs, summaries come from docstrings, and every operation lists its errors.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from inspect import cleandoc
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_examples_list, build_media_type_object
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS

from core.shapes import Error, Page

Handler = TypeVar("Handler", bound=Callable[..., Any])
JsonSchema = dict[str, Any]

REFUSALS = {
    400: ("Invalid", "The request cannot be read, or a field is invalid."),
    401: ("NotAuthenticated", "A valid token is required."),
    403: ("Forbidden", "You are not allowed to do this."),
    404: ("NotFound", "The object does not exist, or you can't see it."),
    406: ("NotAcceptable", "Responses are JSON only."),
    409: ("Conflict", "Not possible in the current state. Nothing was changed."),
    410: ("Gone", "The object is no longer available. `data` says how to continue."),
    411: ("LengthRequired", "The Content-Length header is missing."),
    413: ("TooLarge", "The request is too large."),
    415: ("UnsupportedMediaType", "Requests must be JSON."),
    422: ("KeyReused", "This Idempotency-Key was used for a different request."),
    429: ("TooManyRequests", "Too many requests; the Retry-After header says when to try again."),
    503: ("Unavailable", "The service is temporarily unavailable."),
}
ERROR_EXAMPLE = {
    "code": "invalid",
    "message": "time_zone: 'Mars/Olympus' is not a time zone. Use a name like Europe/Berlin or UTC.",
    "hint": "data.fields lists the errors by field.",
    "data": {"fields": {"time_zone": ["'Mars/Olympus' is not a time zone."]}},
}
NEXT_PAGE = "https://play.example.org/api/v1/matches?cursor=WzAsIjQyIl0:1w2x3y:abc"


def refuses(*statuses: int) -> Callable[[Handler], Handler]:
    """Document the errors that a handler can return besides those that all handlers share."""

    def mark(handler: Handler) -> Handler:
        handler.refuses = statuses  # type: ignore[attr-defined]
        return handler

    return mark


def request_example(name: str, value: Any) -> OpenApiExample:
    return OpenApiExample(name, value, request_only=True)


def response_example(name: str, value: Any, status: int = 200) -> OpenApiExample:
    return OpenApiExample(name, value, response_only=True, status_codes=[str(status)])


@dataclass(frozen=True)
class OtherMedia:
    """A response that isn't plain JSON."""

    shape: Any
    media_types: tuple[str, ...]


class Shapes:
    """Collects the schema components that are built from structs."""

    def __init__(self) -> None:
        self.components: dict[str, JsonSchema] = {}

    def schema(self, shape: Any) -> JsonSchema:
        """Return a reference to a struct, or a schema made of references, for types such as `list[Game]`, `Page[Match]`
        and `Match | Game`."""
        if isinstance(shape, UnionType):
            return {"anyOf": [self.schema(one) for one in get_args(shape)]}
        (schema,), components = msgspec.json.schema_components([shape], ref_template="#/components/schemas/{name}")
        for name, component in components.items():
            if "description" in component:
                component["description"] = cleandoc(component["description"])
            add_component(self.components, name, component)
        return schema


def add_component(components: dict[str, JsonSchema], name: str, component: JsonSchema) -> None:
    if components.setdefault(name, component) != component:
        raise ValueError(f"The OpenAPI document has two different components named {name}.")


shapes = Shapes()


class Schema(AutoSchema):
    """Reads operations from handlers.

    The first line of a handler's docstring is the summary, and the rest is the description. In `@extend_schema`,
    `responses` is a type that msgspec can encode, or a dict that maps status codes to such types.
    """

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation:
            for status in sorted(self._refusals(operation)):
                operation["responses"][str(status)] = {"$ref": f"#/components/responses/{REFUSALS[status][0]}"}
        return operation

    def get_summary(self) -> str:
        return self._documentation()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        return self._documentation()[1]

    def _documentation(self) -> tuple[str, str]:
        first, _, rest = cleandoc(self._handler().__doc__ or "").partition("\n")
        return first, " ".join(rest.split())

    def _handler(self) -> Any:
        return getattr(self.view, self.method.lower())

    def _refusals(self, operation: dict[str, Any]) -> set[int]:
        statuses = {400, 406, 429, 503, *getattr(self._handler(), "refuses", ())}
        if self.view.get_authenticators():
            statuses.add(401)
        if "{" in self.path:
            statuses.add(404)
        if self.method not in SAFE_METHODS:
            statuses.add(409)
        if "requestBody" in operation:
            statuses |= {411, 413, 415}
        return statuses

    def _responses(self) -> dict[int, Any]:
        declared = self.get_response_serializers()
        return declared if isinstance(declared, dict) else {200: declared}

    def _is_list_view(self, serializer: Any = None) -> bool:
        return any(get_origin(shape) in (list, Page) for shape in self._responses().values())

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        return {str(status): self._response(shape, str(status)) for status, shape in self._responses().items()}

    def _response(self, shape: Any, status: str) -> dict[str, Any]:
        if isinstance(shape, OpenApiResponse):
            return {"description": shape.description}
        described: dict[str, Any] = {"description": HTTPStatus(int(status)).phrase}
        media_types = shape.media_types if isinstance(shape, OtherMedia) else ("application/json",)
        shape = shape.shape if isinstance(shape, OtherMedia) else shape
        if shape is not None:
            examples = build_examples_list([as_part_of(shape, one) for one in self._response_examples(status)])
            content = build_media_type_object(shapes.schema(shape), examples)
            described["content"] = dict.fromkeys(media_types, content)
        return described

    def _response_examples(self, status: str) -> list[OpenApiExample]:
        return [one for one in self.get_examples() if one.response_only and status in (one.status_codes or ())]


def as_part_of(shape: Any, example: OpenApiExample) -> OpenApiExample:
    """Wrap the example of a single entry in a list or a page if the response is one."""
    whole = copy.copy(example)
    if get_origin(shape) is list:
        whole.value = [example.value]
    elif get_origin(shape) is Page:
        whole.value = {"next": NEXT_PAGE, "previous": None, "results": [example.value]}
    return whole


def add_shapes_and_refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the components that operations refer to: structs and shared errors."""
    error = shapes.schema(Error)
    components = result.setdefault("components", {})
    for name, component in shapes.components.items():
        add_component(components.setdefault("schemas", {}), name, component)
    content = {"application/json": {"schema": error, "example": ERROR_EXAMPLE}}
    components["responses"] = {
        name: {"description": sentence, "content": content} for name, sentence in REFUSALS.values()
    }
    return result
