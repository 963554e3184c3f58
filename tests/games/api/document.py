"""The API document as the tests go through it, so that no endpoint is forgotten."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

ROOT = "/api/v1"


@cache
def document() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def paths(method: str, holding: str = "") -> list[str]:
    """Addresses below the root that answer to a method."""
    return [
        path.removeprefix(ROOT)
        for path, operations in document()["paths"].items()
        if method in operations and holding in path
    ]


def of_a_match(method: str) -> list[str]:
    return paths(method, "{match_id}")
