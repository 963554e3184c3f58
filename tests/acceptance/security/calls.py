"""Every call in the API schema, with generated paths and bodies. New endpoints are therefore tested automatically."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, product
from typing import Any
from urllib.parse import urlencode

from tests.acceptance.security.schemas import filled
from tests.games.api.clients import ROOT, Caller
from tests.games.api.document import document

Names = Mapping[str, list[Any]]

UNUSUAL: dict[str, Callable[[Mapping[str, Any]], Iterable[Any]]] = {
    "integer": lambda schema: count(schema["minimum"]),
    "boolean": lambda _: (True, False),
}
"""Values to try for optional parameters, by type."""

CALLS = [(method, path.removeprefix(ROOT)) for path, operations in document()["paths"].items() for method in operations]


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][ROOT + path][method]
    return found


def takes_a_body(method: str, path: str) -> bool:
    return "requestBody" in operation(method, path)


def bodies(method: str, path: str) -> list[Any]:
    """Return the examples in the schema, or a generated body."""
    examples = content(method, path).get("examples", {}).values()
    return [example["value"] for example in examples] or [filled(schema(method, path))]


def schema(method: str, path: str) -> dict[str, Any]:
    """Return the schema of the body. A call without a body has an empty schema."""
    found: dict[str, Any] = content(method, path).get("schema", {"type": "object"})
    return found


def content(method: str, path: str) -> dict[str, Any]:
    contents: dict[str, dict[str, Any]] = operation(method, path).get("requestBody", {}).get("content", {})
    return contents.get("application/json", {})


def parameters(method: str, path: str, place: str) -> list[str]:
    return [one["name"] for one in operation(method, path).get("parameters", []) if one["in"] == place]


def addresses(method: str, path: str, names: Names) -> Iterator[str]:
    """Yield the path with every combination of parameter values."""
    asked = parameters(method, path, "path")
    for values in product(*(names[name] for name in asked)):
        filled = path
        for name, value in zip(asked, values, strict=True):
            filled = filled.replace(f"{{{name}}}", str(value))
        yield filled


def queries(method: str, path: str) -> list[str]:
    """Return a query for each combination of enum values, with and without unusual values for all other parameters.

    Cursors are left out, because they come from responses.
    """
    asked = {
        one["name"]: one["schema"] for one in operation(method, path).get("parameters", []) if one["in"] == "query"
    }
    lists = [[(name, value) for value in schema["enum"]] for name, schema in asked.items() if "enum" in schema]
    others = [(name, unusual(schema)) for name, schema in asked.items() if schema["type"] in UNUSUAL]
    filled = [fields for chosen in product(*lists) for fields in (chosen, (*chosen, *others))]
    return list(dict.fromkeys(f"?{urlencode(fields)}" if fields else "" for fields in filled))


def unusual(schema: Mapping[str, Any]) -> Any:
    """Return the first value that isn't the default."""
    return next(value for value in UNUSUAL[schema["type"]](schema) if value != schema["default"])


def following(content: bytes) -> str | None:
    """Return the path of the next page of a list."""
    link = re.search(rb'"next":"([^"]+)"', content)
    return link[1].decode().partition(ROOT)[2] if link else None


def send(caller: Caller, method: str, address: str, body: Any) -> Any:
    """Send the body as JSON. If the body is bytes, send it unchanged."""
    content: Any = body if isinstance(body, bytes) else json.dumps(body).encode()
    if method in ("get", "delete"):
        content = b""
    return caller.client.generic(method.upper(), ROOT + address, content, "application/json")
