"""The OpenAPI document, for tests that cover every endpoint."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

ROOT = "/api/v1"


@cache
def document() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def paths(method: str, holding: str = "") -> list[str]:
    """Return the paths below the API root that support a method."""
    return [
        path.removeprefix(ROOT)
        for path, operations in document()["paths"].items()
        if method in operations and holding in path
    ]


def of_a_match(method: str) -> list[str]:
    return paths(method, "{match_id}")
