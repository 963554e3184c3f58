"""Response shapes that all apps share. Clients import `shapes` modules, so there is no Django in them."""

from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

Item = TypeVar("Item")


class Shape(msgspec.Struct, frozen=True):
    """A response body, or a part of one. Its fields become the JSON, the OpenAPI document and the CLI's schemas."""


class Page(Shape, Generic[Item], frozen=True):
    next: Annotated[str | None, Meta(description="The address of the next page; null on the last one.")]
    previous: Annotated[str | None, Meta(description="The address of the previous page; null on the first one.")]
    results: list[Item]


class Acknowledgement(Shape, frozen=True):
    message: Annotated[str, Meta(description="What was done, as a sentence.")]


class Error(Shape, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(description="For programs; codes do not change.")]
    message: Annotated[str, Meta(description="What is wrong, as a sentence.")]
    hint: Annotated[str, Meta(description="What to do instead; may be empty.")]
    data: Annotated[dict[str, Any], Meta(description="Details that depend on the code.")]


def one_of(*values: str) -> Meta:
    """The values that a string can have, for `Annotated[str, one_of(…)]`."""
    return Meta(extra_json_schema={"enum": list(values)})


JsonObject = Annotated[Any, Meta(extra_json_schema={"type": "object"})]
"""A record of a game, or anything else that is encoded as a JSON object of its own form."""
