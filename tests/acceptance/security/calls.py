"""Every call of the API document, with addresses and bodies made of the document itself: a new endpoint is attacked
like the others without anybody thinking of it."""

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
"""What can be given where nothing need be given."""

CALLS = [(method, path.removeprefix(ROOT)) for path, operations in document()["paths"].items() for method in operations]


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][ROOT + path][method]
    return found


def takes_a_body(method: str, path: str) -> bool:
    return "requestBody" in operation(method, path)


def bodies(method: str, path: str) -> list[Any]:
    """The examples of the document, or what its schema asks for."""
    examples = content(method, path).get("examples", {}).values()
    return [example["value"] for example in examples] or [filled(schema(method, path))]


def schema(method: str, path: str) -> dict[str, Any]:
    """Of the body; that of a call without one is the schema of nothing."""
    found: dict[str, Any] = content(method, path).get("schema", {"type": "object"})
    return found


def content(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = operation(method, path).get("requestBody", {}).get("content", {})
    return found.get("application/json", {})


def parameters(method: str, path: str, place: str) -> list[str]:
    return [one["name"] for one in operation(method, path).get("parameters", []) if one["in"] == place]


def addresses(method: str, path: str, names: Names) -> Iterator[str]:
    """The address with everything that its parameters can name."""
    asked = parameters(method, path, "path")
    for values in product(*(names[name] for name in asked)):
        filled = path
        for name, value in zip(asked, values, strict=True):
            filled = filled.replace(f"{{{name}}}", str(value))
        yield filled


def queries(method: str, path: str) -> list[str]:
    """One for each value of what is chosen from a list, or none; and each once more with everything else that can be
    asked for, so that pages hold one entry and lists begin later. Where a list goes on, its answer tells."""
    asked = {
        one["name"]: one["schema"] for one in operation(method, path).get("parameters", []) if one["in"] == "query"
    }
    lists = [[(name, value) for value in schema["enum"]] for name, schema in asked.items() if "enum" in schema]
    others = [(name, unusual(schema)) for name, schema in asked.items() if schema["type"] in UNUSUAL]
    filled = [fields for chosen in product(*lists) for fields in (chosen, (*chosen, *others))]
    return list(dict.fromkeys(f"?{urlencode(fields)}" if fields else "" for fields in filled))


def unusual(schema: Mapping[str, Any]) -> Any:
    """The first value that is not meant anyway."""
    return next(value for value in UNUSUAL[schema["type"]](schema) if value != schema["default"])


def following(content: bytes) -> str | None:
    """Where a list goes on, as an address of the document."""
    link = re.search(rb'"next":"([^"]+)"', content)
    return link[1].decode().partition(ROOT)[2] if link else None


def send(caller: Caller, method: str, address: str, body: Any) -> Any:
    """The body as JSON, or as it is if it is made of bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return caller.client.generic(
        method.upper(), ROOT + address, b"" if method in ("get", "delete") else content, "application/json"
    )
