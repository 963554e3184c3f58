"""Response shapes that all apps share. Clients import `shapes` modules, so these modules must not import Django."""

from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

Item = TypeVar("Item")


class Shape(msgspec.Struct, frozen=True):
    """A response body or a part of one. Its fields define the JSON, the OpenAPI document and the CLI's schemas."""


class Page(Shape, Generic[Item], frozen=True):
    next: Annotated[str | None, Meta(description="URL of the next page; null on the last one.")]
    previous: Annotated[str | None, Meta(description="URL of the previous page; null on the first one.")]
    results: list[Item]


class Acknowledgement(Shape, frozen=True):
    message: Annotated[str, Meta(description="What was done, in plain English.")]


class Error(Shape, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(description="A code for programs. Codes do not change.")]
    message: Annotated[str, Meta(description="What is wrong, in plain English.")]
    hint: Annotated[str, Meta(description="What to do instead; may be empty.")]
    data: Annotated[dict[str, Any], Meta(description="Details that depend on the code.")]


def one_of(*values: str) -> Meta:
    """List the possible values of a string, for use in `Annotated[str, one_of(…)]`."""
    return Meta(extra_json_schema={"enum": list(values)})


JsonObject = Annotated[Any, Meta(extra_json_schema={"type": "object"})]
"""A JSON object whose structure is defined elsewhere, such as a game's record."""
